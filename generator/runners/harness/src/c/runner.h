// What a library in C implements to be measured. A function that can fail returns 1 or an object, else 0 or null,
// and says why in `runner_error`. A program has one scenario, so contexts are never freed, and may share statics.

#include <stddef.h>
#include <string.h>
#include <sys/uio.h>

// The name that clients verify, and ask for.
#define HOST "localhost"

// Seconds for which a session can be resumed, the maximum of TLS 1.3: a process may live for hours.
enum { LIFETIME = 7 * 24 * 60 * 60 };

// What both contexts are configured for.
struct scenario {
    // 0x303 or 0x304
    int version;
    // The only cipher suite, by IANA's number and name.
    int suite;
    const char *suite_name;
    // The only groups, by IANA's numbers, the preferred first; without any, as the library prefers. In TLS 1.2 the
    // last may be only for the curve of ECDSA keys.
    const int *groups;
    int group_count;
    // Whether the client sends a share for each group.
    int has_all_shares;
    // Whether the client keeps the first session that it receives for later ones to resume, and a server of TLS 1.3
    // sends one ticket. Otherwise it sends none, and nothing is kept.
    int resumes;
    // Sessions are kept in tickets, else by the server.
    int has_tickets;
    int is_vectored;
    int threads;
};

// What an end reads from and writes to, during one call.
struct wires {
    const char *unread;
    size_t left;
    void *to_peer;
    void (*write)(void *to_peer, const char *from, size_t count);
};

// Takes at most `room` bytes from the peer. Returns how many; 0 if there are none yet.
static inline size_t take(struct wires *wires, void *into, size_t room) {
    size_t count = wires->left < room ? wires->left : room;
    memcpy(into, wires->unread, count);
    wires->unread += count;
    wires->left -= count;
    return count;
}

// `NAME,VERSION,RELEASED,OPTIONS` of the linked library, not of its headers. The day, such as 2026-01-27, and the options
// with which it was compiled may be empty. The version of the library's package follows one that ends with `-`.
const char *runner_about(void);

// Returns why the library cannot do a scenario, or null.
const char *runner_unsupported(const struct scenario *scenario);

void *runner_context(const struct scenario *scenario, int is_client);
// Sets the chain, leaf first, and the key of the leaf, unless they are null; and requires the peer to have a chain to
// a root, unless that is null, and a server also the name HOST. All are files in PEM.
int runner_trust(void *context, const char *chain, const char *key, const char *root);

void *runner_end(void *context);
void runner_free(void *end);

// These return a positive number, 0 if the library needs more bytes from the peer, or -1 on failure. To write may
// be incomplete. A handshake is done when it returns a positive number.
int runner_handshake(void *end, struct wires *wires);
// Called after the handshake, when bytes of the server are left.
int runner_read_tickets(void *end, struct wires *wires);
int runner_read(void *end, struct wires *wires, char *into, int room);
// Of several buffers only if `runner_unsupported` has allowed a vectored write.
int runner_write(void *end, struct wires *wires, const struct iovec *data, int count);

// Whether bytes that were taken from the peer wait to be read.
int runner_pending(void *end);
// Takes an error from the thread's queue; 0 if there is none.
int runner_error(char *text, size_t room);
