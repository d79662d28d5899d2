// GnuTLS.

#include "runner.h"
#include <errno.h>
#include <gnutls/gnutls.h>
#include <stdio.h>
#include <stdlib.h>

// One side's configuration.
struct context {
    int is_client;
    int is_verifying;
    gnutls_certificate_credentials_t credentials;
};

// One end, with the wires of the current call.
struct end {
    struct context *context;
    gnutls_session_t session;
    struct wires *wires;
    int is_done;
};

// What the program's contexts share.
static struct scenario settings;
static gnutls_priority_t priority;
static gnutls_datum_t ticket_key;
// The first session that a client receives, which later clients resume, and its id and data at the server.
static gnutls_datum_t received, kept_id, kept;

static _Thread_local int error;

// Whether a call succeeded.
static int succeeded(int result) {
    if (result < 0)
        error = result;
    return result >= 0;
}

static const struct {
    int number;
    const char *name;
} groups[] = {
    {23, "SECP256R1"}, {24, "SECP384R1"}, {29, "X25519"}, {4587, "SECP256R1-MLKEM768"}, {4588, "X25519-MLKEM768"},
};
enum { GROUPS = sizeof groups / sizeof *groups };

// Returns the priorities: the defaults, with the version, the suite and the groups of a scenario.
static int set_priority(gnutls_priority_t *priority, const struct scenario *scenario) {
    const char *suite = scenario->suite_name;
    const char *cipher = strstr(suite, "CHACHA20") ? "CHACHA20-POLY1305" : strstr(suite, "128") ? "AES-128-GCM" : "AES-256-GCM";
    const char *exchange = strstr(suite, "ECDSA") ? "ECDHE-ECDSA" : "ECDHE-RSA";
    char text[256];
    int size = snprintf(text, sizeof text, "NORMAL:-VERS-ALL:+VERS-TLS1.%d:-CIPHER-ALL:+%s:-KX-ALL:+%s%s",
                        scenario->version - 0x301, cipher, exchange, scenario->group_count > 0 ? ":-GROUP-ALL" : "");
    for (int i = 0; i < scenario->group_count; i++) {
        for (int j = 0; j < GROUPS; j++) {
            if (groups[j].number == scenario->groups[i])
                size += snprintf(text + size, sizeof text - size, ":+GROUP-%s", groups[j].name);
        }
    }
    return gnutls_priority_init(priority, text, NULL);
}

const char *runner_unsupported(const struct scenario *scenario) {
    if (scenario->resumes && !scenario->has_tickets && scenario->version == 0x304)
        return "no stateful resumption in TLS 1.3";
    if (scenario->is_vectored)
        return "no vectored write";
    gnutls_priority_t tried;
    if (set_priority(&tried, scenario) < 0)
        return "no such key exchange";
    gnutls_priority_deinit(tried);
    return NULL;
}

void *runner_context(const struct scenario *scenario, int is_client) {
    struct context *context = calloc(1, sizeof *context);
    if (context == NULL || !succeeded(gnutls_certificate_allocate_credentials(&context->credentials)))
        return NULL;
    context->is_client = is_client;
    settings = *scenario;
    if (priority == NULL && !(succeeded(set_priority(&priority, scenario)) && succeeded(gnutls_session_ticket_key_generate(&ticket_key))))
        return NULL;
    return context;
}

int runner_trust(void *of, const char *chain, const char *key, const char *root) {
    struct context *context = of;
    context->is_verifying = root != NULL;
    return (chain == NULL || succeeded(gnutls_certificate_set_x509_key_file(context->credentials, chain, key, GNUTLS_X509_FMT_PEM))) &&
           (root == NULL || succeeded(gnutls_certificate_set_x509_trust_file(context->credentials, root, GNUTLS_X509_FMT_PEM)));
}

static ssize_t pull(gnutls_transport_ptr_t of, void *into, size_t room) {
    struct end *end = of;
    if (end->wires->left > 0)
        return take(end->wires, into, room);
    gnutls_transport_set_errno(end->session, EAGAIN);
    return -1;
}

static ssize_t push(gnutls_transport_ptr_t of, const giovec_t *parts, int count) {
    struct end *end = of;
    ssize_t size = 0;
    for (int i = 0; i < count; i++) {
        end->wires->write(end->wires->to_peer, parts[i].iov_base, parts[i].iov_len);
        size += parts[i].iov_len;
    }
    return size;
}

static gnutls_datum_t copy(gnutls_datum_t data) {
    gnutls_datum_t copied = {gnutls_malloc(data.size), data.size};
    if (copied.data != NULL)
        memcpy(copied.data, data.data, data.size);
    return copied;
}

// The server's cache. Only the first session is resumed, so it keeps no other.
static int store(void *cache, gnutls_datum_t id, gnutls_datum_t data) {
    (void)cache;
    if (kept.data == NULL)
        kept_id = copy(id), kept = copy(data);
    return 0;
}

static gnutls_datum_t retrieve(void *cache, gnutls_datum_t id) {
    (void)cache;
    int is_kept = id.size == kept_id.size && memcmp(id.data, kept_id.data, id.size) == 0;
    return is_kept ? copy(kept) : (gnutls_datum_t){NULL, 0};
}

static int forget(void *cache, gnutls_datum_t id) {
    (void)cache, (void)id;
    return 0;
}

static int configure_client(gnutls_session_t session) {
    gnutls_session_set_verify_cert(session, HOST, 0);
    return succeeded(gnutls_server_name_set(session, GNUTLS_NAME_DNS, HOST, strlen(HOST))) &&
           (received.data == NULL || succeeded(gnutls_session_set_data(session, received.data, received.size)));
}

static int configure_server(gnutls_session_t session, int is_mutual) {
    if (is_mutual) {
        gnutls_session_set_verify_cert(session, NULL, 0);
        gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
    }
    gnutls_db_set_cache_expiration(session, LIFETIME);
    if (settings.has_tickets)
        return succeeded(gnutls_session_ticket_enable_server(session, &ticket_key));
    if (settings.resumes) {
        gnutls_db_set_store_function(session, store);
        gnutls_db_set_retrieve_function(session, retrieve);
        gnutls_db_set_remove_function(session, forget);
    }
    return 1;
}

void *runner_end(void *of) {
    struct context *context = of;
    struct end *end = calloc(1, sizeof *end);
    unsigned flags = GNUTLS_NONBLOCK | GNUTLS_NO_AUTO_SEND_TICKET | (settings.has_tickets ? 0 : GNUTLS_NO_TICKETS) |
                     (settings.has_all_shares ? GNUTLS_KEY_SHARE_TOP2 : 0);
    flags |= context->is_client ? GNUTLS_CLIENT : GNUTLS_SERVER;
    if (end == NULL || !succeeded(gnutls_init(&end->session, flags))) {
        free(end);
        return NULL;
    }
    end->context = context;
    gnutls_transport_set_ptr(end->session, end);
    gnutls_transport_set_pull_function(end->session, pull);
    gnutls_transport_set_vec_push_function(end->session, push);
    if (succeeded(gnutls_priority_set(end->session, priority)) &&
        succeeded(gnutls_credentials_set(end->session, GNUTLS_CRD_CERTIFICATE, context->credentials)) &&
        (context->is_client ? configure_client(end->session) : configure_server(end->session, context->is_verifying)))
        return end;
    runner_free(end);
    return NULL;
}

void runner_free(void *of) {
    struct end *end = of;
    gnutls_deinit(end->session);
    free(end);
}

static int result(ssize_t done) {
    if (done == GNUTLS_E_AGAIN)
        return 0;
    if (done == 0)
        error = GNUTLS_E_PREMATURE_TERMINATION;
    return done > 0 ? done : succeeded(done) - 1;
}

// Keeps a client's session, unless there is one.
static int keep_session(gnutls_session_t session) {
    return received.data != NULL || succeeded(gnutls_session_get_data2(session, &received)) ? 1 : -1;
}

int runner_handshake(void *of, struct wires *wires) {
    struct end *end = of;
    end->wires = wires;
    // A call after its end would begin another.
    if (end->is_done)
        return 1;
    int done = gnutls_handshake(end->session);
    if (done != GNUTLS_E_SUCCESS)
        return result(done);
    end->is_done = 1;
    int is_13 = settings.version == 0x304;
    if (!settings.resumes || end->context->is_client == is_13)
        return 1;
    return is_13 ? succeeded(gnutls_session_ticket_send(end->session, 1, 0)) : keep_session(end->session);
}

int runner_read_tickets(void *of, struct wires *wires) {
    struct end *end = of;
    char byte;
    int done = runner_read(of, wires, &byte, 1);
    if (done == 0 && gnutls_session_get_flags(end->session) & GNUTLS_SFLAGS_SESSION_TICKET)
        return keep_session(end->session);
    return done;
}

int runner_write(void *of, struct wires *wires, const struct iovec *data, int count) {
    (void)count;
    struct end *end = of;
    end->wires = wires;
    return result(gnutls_record_send(end->session, data->iov_base, data->iov_len));
}

int runner_read(void *of, struct wires *wires, char *into, int room) {
    struct end *end = of;
    end->wires = wires;
    return result(gnutls_record_recv(end->session, into, room));
}

int runner_pending(void *of) { return gnutls_record_check_pending(((struct end *)of)->session); }

int runner_error(char *text, size_t room) {
    snprintf(text, room, "%s", gnutls_strerror(error));
    int there = error;
    error = 0;
    return there;
}

const char *runner_about(void) {
    static char about[64];
    snprintf(about, sizeof about, "GnuTLS,%s,,", gnutls_check_version(NULL));
    return about;
}
