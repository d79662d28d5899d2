// Mbed TLS 3.

#include "runner.h"
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <mbedtls/pk.h>
#include <mbedtls/ssl.h>
#include <mbedtls/ssl_cache.h>
#include <mbedtls/ssl_ticket.h>
#include <mbedtls/version.h>
#include <psa/crypto.h>
#include <stdio.h>
#include <stdlib.h>

// One side's configuration.
struct context {
    mbedtls_ssl_config config;
    mbedtls_x509_crt chain, root;
    mbedtls_pk_context key;
};

// One end, with the wires of the current call.
struct end {
    mbedtls_ssl_context ssl;
    struct wires *wires;
    int is_client;
};

// What the program's contexts share.
static struct scenario settings;
static int suites[2];
static uint16_t groups[4];
static mbedtls_entropy_context entropy;
static mbedtls_ctr_drbg_context drbg;
static mbedtls_ssl_ticket_context tickets;
static mbedtls_ssl_cache_context cache;
// The first session that a client receives, which later clients resume.
static mbedtls_ssl_session received;
static int has_received;

static _Thread_local int error;

// Whether a call succeeded.
static int succeeded(int result) {
    if (result != 0)
        error = result;
    return result == 0;
}

const char *runner_unsupported(const struct scenario *scenario) {
    if (scenario->resumes && !scenario->has_tickets && scenario->version == 0x304)
        return "no stateful resumption in TLS 1.3";
    if (scenario->is_vectored)
        return "no vectored write";
    for (int i = 0; i < scenario->group_count; i++) {
        if (mbedtls_ssl_get_curve_name_from_tls_id(scenario->groups[i]) == NULL)
            return "no such key exchange";
    }
    return NULL;
}

// Prepares what both contexts share.
static int prepare(const struct scenario *scenario) {
    settings = *scenario;
    suites[0] = scenario->suite;
    for (int i = 0; i < scenario->group_count; i++)
        groups[i] = scenario->groups[i];
    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&drbg);
    mbedtls_ssl_session_init(&received);
    mbedtls_ssl_cache_init(&cache);
    mbedtls_ssl_cache_set_timeout(&cache, LIFETIME);
    mbedtls_ssl_ticket_init(&tickets);
    return succeeded(psa_crypto_init()) &&
           succeeded(mbedtls_ctr_drbg_seed(&drbg, mbedtls_entropy_func, &entropy, NULL, 0)) &&
           succeeded(mbedtls_ssl_ticket_setup(&tickets, mbedtls_ctr_drbg_random, &drbg, MBEDTLS_CIPHER_AES_256_GCM, LIFETIME));
}

void *runner_context(const struct scenario *scenario, int is_client) {
    struct context *context = calloc(1, sizeof *context);
    if (context == NULL || (suites[0] == 0 && !prepare(scenario)))
        return NULL;
    mbedtls_ssl_config *config = &context->config;
    mbedtls_ssl_config_init(config);
    mbedtls_x509_crt_init(&context->chain);
    mbedtls_x509_crt_init(&context->root);
    mbedtls_pk_init(&context->key);
    int endpoint = is_client ? MBEDTLS_SSL_IS_CLIENT : MBEDTLS_SSL_IS_SERVER;
    if (!succeeded(mbedtls_ssl_config_defaults(config, endpoint, MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT)))
        return NULL;
    mbedtls_ssl_conf_rng(config, mbedtls_ctr_drbg_random, &drbg);
    mbedtls_ssl_conf_min_tls_version(config, scenario->version);
    mbedtls_ssl_conf_max_tls_version(config, scenario->version);
    mbedtls_ssl_conf_ciphersuites(config, suites);
    // Resumption with a key exchange, as in the other libraries.
    mbedtls_ssl_conf_tls13_key_exchange_modes(config, MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_EPHEMERAL_ALL);
    if (scenario->group_count > 0)
        mbedtls_ssl_conf_groups(config, groups);
    if (is_client) {
        mbedtls_ssl_conf_session_tickets(config, scenario->has_tickets);
        mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(config, scenario->has_tickets);
    } else if (scenario->has_tickets) {
        mbedtls_ssl_conf_session_tickets_cb(config, mbedtls_ssl_ticket_write, mbedtls_ssl_ticket_parse, &tickets);
    } else if (scenario->resumes) {
        mbedtls_ssl_conf_session_cache(config, &cache, mbedtls_ssl_cache_get, mbedtls_ssl_cache_set);
    }
    return context;
}

int runner_trust(void *of, const char *chain, const char *key, const char *root) {
    struct context *context = of;
    if (chain != NULL && !(succeeded(mbedtls_x509_crt_parse_file(&context->chain, chain)) &&
                           succeeded(mbedtls_pk_parse_keyfile(&context->key, key, NULL, mbedtls_ctr_drbg_random, &drbg)) &&
                           succeeded(mbedtls_ssl_conf_own_cert(&context->config, &context->chain, &context->key))))
        return 0;
    if (root == NULL)
        return 1;
    mbedtls_ssl_conf_authmode(&context->config, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_ca_chain(&context->config, &context->root, NULL);
    return succeeded(mbedtls_x509_crt_parse_file(&context->root, root));
}

static int receive(void *of, unsigned char *into, size_t room) {
    struct end *end = of;
    return end->wires->left > 0 ? (int)take(end->wires, into, room) : MBEDTLS_ERR_SSL_WANT_READ;
}

static int deliver(void *of, const unsigned char *from, size_t count) {
    struct end *end = of;
    end->wires->write(end->wires->to_peer, (const char *)from, count);
    return count;
}

void *runner_end(void *of) {
    struct context *context = of;
    struct end *end = calloc(1, sizeof *end);
    if (end == NULL)
        return NULL;
    end->is_client = mbedtls_ssl_conf_get_endpoint(&context->config) == MBEDTLS_SSL_IS_CLIENT;
    mbedtls_ssl_init(&end->ssl);
    mbedtls_ssl_set_bio(&end->ssl, end, deliver, receive, NULL);
    if (succeeded(mbedtls_ssl_setup(&end->ssl, &context->config)) &&
        (!end->is_client || succeeded(mbedtls_ssl_set_hostname(&end->ssl, HOST))) &&
        (!end->is_client || !has_received || succeeded(mbedtls_ssl_set_session(&end->ssl, &received))))
        return end;
    runner_free(end);
    return NULL;
}

void runner_free(void *of) {
    struct end *end = of;
    mbedtls_ssl_free(&end->ssl);
    free(end);
}

static int result(int done) {
    if (done == MBEDTLS_ERR_SSL_WANT_READ)
        return 0;
    if (done == 0)
        error = MBEDTLS_ERR_SSL_CONN_EOF;
    return done > 0 ? done : succeeded(done) - 1;
}

// Keeps a client's session, unless there is one.
static int keep_session(mbedtls_ssl_context *ssl) {
    has_received = has_received || succeeded(mbedtls_ssl_get_session(ssl, &received));
    return has_received ? 1 : -1;
}

int runner_handshake(void *of, struct wires *wires) {
    struct end *end = of;
    end->wires = wires;
    int done = mbedtls_ssl_handshake(&end->ssl);
    if (done != 0)
        return result(done);
    return end->is_client && settings.resumes && settings.version == 0x303 ? keep_session(&end->ssl) : 1;
}

int runner_read_tickets(void *of, struct wires *wires) {
    struct end *end = of;
    end->wires = wires;
    // The first call takes a ticket from the wire, and the second uses it.
    int done = mbedtls_ssl_read(&end->ssl, NULL, 0);
    if (done == MBEDTLS_ERR_SSL_WANT_READ)
        done = mbedtls_ssl_read(&end->ssl, NULL, 0);
    return done == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET ? keep_session(&end->ssl) : result(done);
}

int runner_write(void *of, struct wires *wires, const struct iovec *data, int count) {
    (void)count;
    struct end *end = of;
    end->wires = wires;
    return result(mbedtls_ssl_write(&end->ssl, data->iov_base, data->iov_len));
}

int runner_read(void *of, struct wires *wires, char *into, int room) {
    struct end *end = of;
    end->wires = wires;
    return result(mbedtls_ssl_read(&end->ssl, (unsigned char *)into, room));
}

int runner_pending(void *of) { return mbedtls_ssl_get_bytes_avail(&((struct end *)of)->ssl); }

int runner_error(char *text, size_t room) {
    mbedtls_strerror(error, text, room);
    int there = error;
    error = 0;
    return there;
}

const char *runner_about(void) {
    static char about[64];
    char version[16];
    mbedtls_version_get_string(version);
    snprintf(about, sizeof about, "Mbed TLS,%s,,", version);
    return about;
}
