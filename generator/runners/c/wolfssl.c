// wolfSSL.

#include "runner.h"
#include <stdio.h>
#include <stdlib.h>
#include <wolfssl/options.h>
#include <wolfssl/ssl.h>
#include <wolfssl/version.h>

// What the program's contexts share.
static struct scenario settings;
static WOLFSSL_CTX *client;
// The first session that a client receives, which later clients resume.
static WOLFSSL_SESSION *received;

static _Thread_local int error;

// Whether a call succeeded.
static int succeeded(int result) {
    if (result != WOLFSSL_SUCCESS)
        error = result;
    return result == WOLFSSL_SUCCESS;
}

static WOLFSSL_METHOD *method(const struct scenario *scenario, int is_client) {
    if (scenario->version == 0x303)
        return is_client ? wolfTLSv1_2_client_method() : wolfTLSv1_2_server_method();
    return is_client ? wolfTLSv1_3_client_method() : wolfTLSv1_3_server_method();
}

static int set_groups(WOLFSSL_CTX *context, const struct scenario *scenario) {
    int groups[4];
    memcpy(groups, scenario->groups, scenario->group_count * sizeof *groups);
    for (int i = 0; i < scenario->group_count && scenario->version == 0x303; i++) {
        if (!succeeded(wolfSSL_CTX_UseSupportedCurve(context, groups[i])))
            return 0;
    }
    return scenario->group_count == 0 || scenario->version == 0x303 || succeeded(wolfSSL_CTX_set_groups(context, groups, scenario->group_count));
}

const char *runner_unsupported(const struct scenario *scenario) {
    if (scenario->resumes && !scenario->has_tickets && scenario->version == 0x304)
        return "no stateful resumption in TLS 1.3";
    WOLFSSL_CTX *context = wolfSSL_CTX_new(method(scenario, 1));
    int has_groups = context == NULL || set_groups(context, scenario);
    wolfSSL_CTX_free(context);
    error = 0;
    return has_groups ? NULL : "no such key exchange";
}

static int receive(WOLFSSL *ssl, char *into, int room, void *wires) {
    (void)ssl;
    size_t count = take(wires, into, room);
    return count > 0 ? (int)count : WOLFSSL_CBIO_ERR_WANT_READ;
}

static int deliver(WOLFSSL *ssl, char *from, int count, void *of) {
    (void)ssl;
    struct wires *wires = of;
    wires->write(wires->to_peer, from, count);
    return count;
}

static int set_tickets(WOLFSSL_CTX *context, int is_client) {
    if (!settings.has_tickets) {
        // Of which one fails, as it is not for the version.
        wolfSSL_CTX_NoTicketTLSv12(context);
        wolfSSL_CTX_no_ticket_TLSv13(context);
        return 1;
    }
    if (is_client)
        return succeeded(wolfSSL_CTX_UseSessionTicket(context));
    // A ticket lasts at most half as long as its key: an hour, unless the build says otherwise.
#ifdef WOLFSSL_TICKET_KEY_LIFETIME
    int hint = LIFETIME;
#else
    int hint = 29 * 60;
#endif
    return succeeded(wolfSSL_CTX_set_TicketHint(context, hint));
}

void *runner_context(const struct scenario *scenario, int is_client) {
    settings = *scenario;
    WOLFSSL_CTX *context = wolfSSL_CTX_new(method(scenario, is_client));
    if (context == NULL)
        return NULL;
    if (is_client)
        client = context;
    wolfSSL_CTX_SetIORecv(context, receive);
    wolfSSL_CTX_SetIOSend(context, deliver);
    if (!settings.resumes)
        wolfSSL_CTX_set_session_cache_mode(context, WOLFSSL_SESS_CACHE_OFF);
    wolfSSL_CTX_set_timeout(context, LIFETIME);
    if (succeeded(wolfSSL_CTX_set_cipher_list(context, scenario->suite_name)) && set_groups(context, scenario) &&
        set_tickets(context, is_client))
        return context;
    return NULL;
}

int runner_trust(void *context, const char *chain, const char *key, const char *root) {
    if (chain != NULL && !(succeeded(wolfSSL_CTX_use_certificate_chain_file(context, chain)) &&
                           succeeded(wolfSSL_CTX_use_PrivateKey_file(context, key, WOLFSSL_FILETYPE_PEM))))
        return 0;
    if (root == NULL)
        return 1;
    wolfSSL_CTX_set_verify(context, WOLFSSL_VERIFY_PEER | WOLFSSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    return succeeded(wolfSSL_CTX_load_verify_locations(context, root, NULL));
}

void *runner_end(void *context) {
    WOLFSSL *ssl = wolfSSL_new(context);
    if (ssl == NULL || context != client)
        return ssl;
    if (succeeded(wolfSSL_check_domain_name(ssl, HOST)) &&
        succeeded(wolfSSL_UseSNI(ssl, WOLFSSL_SNI_HOST_NAME, HOST, strlen(HOST))) &&
        (received == NULL || succeeded(wolfSSL_set_session(ssl, received))))
        return ssl;
    wolfSSL_free(ssl);
    return NULL;
}

void runner_free(void *ssl) { wolfSSL_free(ssl); }

static void set_wires(WOLFSSL *ssl, struct wires *wires) {
    wolfSSL_SetIOReadCtx(ssl, wires);
    wolfSSL_SetIOWriteCtx(ssl, wires);
}

static int result(WOLFSSL *ssl, int done) {
    if (done > 0)
        return done;
    int why = wolfSSL_get_error(ssl, done);
    if (why == WOLFSSL_ERROR_WANT_READ)
        return 0;
    error = why;
    return -1;
}

static void keep_session(WOLFSSL *ssl) {
    if (received == NULL)
        received = wolfSSL_get1_session(ssl);
}

int runner_handshake(void *ssl, struct wires *wires) {
    set_wires(ssl, wires);
    int done = wolfSSL_negotiate(ssl);
    if (done == WOLFSSL_SUCCESS && settings.resumes && settings.version == 0x303 && !wolfSSL_is_server(ssl))
        keep_session(ssl);
    return result(ssl, done);
}

int runner_read_tickets(void *ssl, struct wires *wires) {
    char byte;
    set_wires(ssl, wires);
    int done = result(ssl, wolfSSL_peek(ssl, &byte, 1));
    if (done == 0)
        keep_session(ssl);
    return done;
}

int runner_write(void *ssl, struct wires *wires, const struct iovec *data, int count) {
    set_wires(ssl, wires);
    return result(ssl, count > 1 ? wolfSSL_writev(ssl, data, count) : wolfSSL_write(ssl, data->iov_base, data->iov_len));
}

int runner_read(void *ssl, struct wires *wires, char *into, int room) {
    set_wires(ssl, wires);
    return result(ssl, wolfSSL_read(ssl, into, room));
}

int runner_pending(void *ssl) { return wolfSSL_pending(ssl); }

int runner_error(char *text, size_t room) {
    char whole[WOLFSSL_MAX_ERROR_SZ];
    snprintf(text, room, "%s (%d)", wolfSSL_ERR_error_string(error, whole), error);
    int there = error;
    error = 0;
    return there;
}

const char *runner_about(void) {
    static char about[1024];
#ifndef OPTIONS
#define OPTIONS ""
#endif
    snprintf(about, sizeof about, "wolfSSL,%s,,%s", wolfSSL_lib_version(), OPTIONS);
    return about;
}
