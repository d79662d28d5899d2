// The C API that OpenSSL, BoringSSL and AWS-LC share, configured as openssl-bench does.

#define _GNU_SOURCE // strptime
#include "runner.h"
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

// AWS-LC is a fork of BoringSSL.
#if defined(OPENSSL_IS_BORINGSSL) || defined(OPENSSL_IS_AWSLC)
#define IS_BORING
#endif

// Whether connections resume sessions.
static int resumes;

// The clients' context.
static SSL_CTX *client;

// The first session that a client receives, which later clients resume. The process has one scenario.
static _Atomic(SSL_SESSION *) received;

// The type of BIO that reads from and writes to wires directly, so that bytes are copied once.
static BIO_METHOD *method;

// What BIOs read from and write to, during the current call.
static _Thread_local struct wires *wires;

static int read_wire(BIO *bio, char *into, int room) {
    BIO_clear_retry_flags(bio);
    if (wires->left > 0)
        return take(wires, into, room);
    BIO_set_retry_read(bio);
    return -1;
}

static int write_wire(BIO *bio, const char *from, int count) {
    (void)bio;
    wires->write(wires->to_peer, from, count);
    return count;
}

// To flush is no work. There is no other command.
static long control_wire(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

static int make_method(void) {
    if (method == NULL)
        method = BIO_meth_new(0, "wire");
    return method != NULL && BIO_meth_set_read(method, read_wire) == 1 &&
           BIO_meth_set_write(method, write_wire) == 1 && BIO_meth_set_ctrl(method, control_wire) == 1;
}

// Selects a cipher suite by IANA's name.
static int set_suite(SSL_CTX *context, int version, const char *suite) {
#ifdef OPENSSL_IS_BORINGSSL
    for (uint16_t number = 0x1301; version == TLS1_3_VERSION && number <= 0x1303; number++) {
        if (strcmp(SSL_CIPHER_standard_name(SSL_get_cipher_by_value(number)), suite) == 0)
            return SSL_CTX_set1_tls13_ciphers(context, &number, NULL, 1);
    }
#else
    if (version == TLS1_3_VERSION)
        return SSL_CTX_set_ciphersuites(context, suite);
#endif
#ifndef IS_BORING
    suite = OPENSSL_cipher_name(suite);
#endif
    return SSL_CTX_set_cipher_list(context, suite);
}

// Sets the groups, and the shares that the client sends.
static int set_groups(SSL_CTX *context, const struct scenario *scenario) {
    char names[64] = "";
    for (int i = 0; i < scenario->group_count; i++) {
        int number = scenario->groups[i];
        // OpenSSL 3.5 sends a share for each group with a mark. The others send one each for the first post-quantum and
        // the first classical group.
#ifndef IS_BORING
        if (scenario->has_all_shares)
            strcat(names, "*");
#endif
        strcat(names, number == 23 ? "P-256" : number == 24 ? "P-384" : number == 29 ? "X25519" :
                      number == 4588 ? "X25519MLKEM768" : "SecP256r1MLKEM768");
        strcat(names, i + 1 < scenario->group_count ? ":" : "");
    }
    return *names == '\0' || SSL_CTX_set1_groups_list(context, names) == 1;
}

const char *runner_unsupported(const struct scenario *scenario) {
#ifdef IS_BORING
    if (scenario->resumes && !scenario->has_tickets && scenario->version == TLS1_3_VERSION)
        return "no stateful resumption in TLS 1.3";
#endif
    if (scenario->is_vectored)
        return "no vectored write";
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    int has_groups = context == NULL || set_groups(context, scenario);
    SSL_CTX_free(context);
    ERR_clear_error();
    return has_groups ? NULL : "no such key exchange";
}

// Returns 1 if it takes ownership of the session.
static int keep_session(SSL *ssl, SSL_SESSION *session) {
    SSL_SESSION *none = NULL;
    if (!atomic_compare_exchange_strong(&received, &none, session))
        return 0;
    // Turns off the client's cache: otherwise OpenSSL uses each TLS 1.3 ticket only once.
    SSL_CTX_set_session_cache_mode(SSL_get_SSL_CTX(ssl), SSL_SESS_CACHE_SERVER);
    return 1;
}

void *runner_context(const struct scenario *scenario, int is_client) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    if (context == NULL)
        return NULL;
    resumes = scenario->resumes;
    if (is_client)
        client = context;
    SSL_CTX_set_session_cache_mode(context, resumes ? SSL_SESS_CACHE_BOTH : SSL_SESS_CACHE_OFF);
    // By default, OpenSSL's cache drops the first session after 20,480 others, and all libraries after two hours.
    SSL_CTX_sess_set_cache_size(context, 0);
    SSL_CTX_set_timeout(context, LIFETIME);
#ifdef IS_BORING
    SSL_CTX_set_session_psk_dhe_timeout(context, LIFETIME);
#endif
    if (!scenario->has_tickets)
        SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    if (resumes && is_client)
        SSL_CTX_sess_set_new_cb(context, keep_session);
    int version = scenario->version;
    if (make_method() && SSL_CTX_set_min_proto_version(context, version) == 1 &&
        SSL_CTX_set_max_proto_version(context, version) == 1 &&
        set_suite(context, version, scenario->suite_name) == 1 && set_groups(context, scenario) &&
        SSL_CTX_set_num_tickets(context, resumes) == 1 &&
        SSL_CTX_set_session_id_context(context, (const unsigned char *)HOST, strlen(HOST)) == 1)
        return context;
    SSL_CTX_free(context);
    return NULL;
}

int runner_trust(void *context, const char *chain, const char *key, const char *root) {
    if (chain != NULL && !(SSL_CTX_use_certificate_chain_file(context, chain) == 1 &&
                           SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1))
        return 0;
    if (root == NULL)
        return 1;
    // With `SSL_CTX_load_verify_locations`, each handshake would ask the file again, in 3,000 instructions of OpenSSL 3.0.
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    BIO *file = BIO_new_file(root, "r");
    X509 *certificate = file == NULL ? NULL : PEM_read_bio_X509(file, NULL, NULL, NULL);
    int added = certificate != NULL && X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate) == 1;
    X509_free(certificate);
    BIO_vfree(file);
    return added;
}

void *runner_end(void *context) {
    SSL *ssl = SSL_new(context);
    BIO *bio = ssl == NULL ? NULL : BIO_new(method);
    if (bio == NULL) {
        SSL_free(ssl);
        return NULL;
    }
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    if (context != client) {
        SSL_set_accept_state(ssl);
        return ssl;
    }
    SSL_set_connect_state(ssl);
    SSL_SESSION *session = atomic_load(&received);
    if (SSL_set_tlsext_host_name(ssl, HOST) == 1 &&
        X509_VERIFY_PARAM_set1_host(SSL_get0_param(ssl), HOST, strlen(HOST)) == 1 &&
        (session == NULL || SSL_set_session(ssl, session) == 1))
        return ssl;
    SSL_free(ssl);
    return NULL;
}

// Marks a resuming connection as shut down: otherwise the libraries drop its session from the cache.
void runner_free(void *ssl) {
    if (resumes)
        SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(ssl);
}

static int result(SSL *ssl, int done) {
    if (done > 0)
        return done;
    return SSL_get_error(ssl, done) == SSL_ERROR_WANT_READ ? 0 : -1;
}

int runner_handshake(void *ssl, struct wires *of_call) {
    wires = of_call;
    int done = SSL_do_handshake(ssl);
#ifdef IS_BORING
    // A server keeps its tickets until the first write, which may be empty, and is then no record.
    if (done > 0 && resumes && (done = SSL_write(ssl, "", 0)) == 0)
        done = 1;
#endif
    return result(ssl, done);
}

int runner_read_tickets(void *ssl, struct wires *of_call) {
    char byte;
    wires = of_call;
    return result(ssl, SSL_peek(ssl, &byte, 1));
}

int runner_write(void *ssl, struct wires *of_call, const struct iovec *data, int count) {
    (void)count;
    wires = of_call;
    return result(ssl, SSL_write(ssl, data->iov_base, data->iov_len));
}

int runner_read(void *ssl, struct wires *of_call, char *into, int room) {
    wires = of_call;
    return result(ssl, SSL_read(ssl, into, room));
}

int runner_pending(void *ssl) { return SSL_pending(ssl); }

int runner_error(char *text, size_t room) {
    unsigned long code = ERR_get_error();
    ERR_error_string_n(code, text, room);
    return code != 0;
}

const char *runner_about(void) {
#ifdef OPENSSL_IS_BORINGSSL
    // It has no releases: the version of the crate with its sources follows.
    return "BoringSSL,boring-,,";
#elif defined(OPENSSL_IS_AWSLC)
    return "AWS-LC," AWSLC_VERSION_NUMBER_STRING ",,";
#else
    // `OpenSSL 3.0.19 27 Jan 2026`
    static char about[2048], version[32], day[16];
    struct tm date = {0};
    if (sscanf(OpenSSL_version(0), "%*s %31s", version) == 1) {
        const char *rest = strstr(OpenSSL_version(0), version) + strlen(version);
        if (strptime(rest, " %d %b %Y", &date) != NULL)
            strftime(day, sizeof day, "%F", &date);
    }
    // `compiler: gcc -fPIC … -O3 -O2`
    const char *options = OpenSSL_version(OPENSSL_CFLAGS), *colon = strstr(options, ": ");
    snprintf(about, sizeof about, "OpenSSL,%s,%s,%s", version, day, colon == NULL ? options : colon + 2);
    return about;
#endif
}
