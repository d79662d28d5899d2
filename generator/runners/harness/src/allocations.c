/* Preloaded into a runner to count allocations by glibc and their bytes. */

#include <errno.h>
#include <stddef.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

/* Number of allocations, and their total bytes. */
unsigned long long harness_allocations[2];

static size_t counted(size_t bytes) {
    harness_allocations[0] += 1;
    harness_allocations[1] += bytes;
    return bytes;
}

void *malloc(size_t bytes) { return __libc_malloc(counted(bytes)); }

void *calloc(size_t count, size_t bytes) {
    counted(count * bytes);
    return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) { return __libc_realloc(old, counted(bytes)); }

void *memalign(size_t alignment, size_t bytes) { return __libc_memalign(alignment, counted(bytes)); }

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **out, size_t alignment, size_t bytes) {
    void *made = memalign(alignment, bytes);
    if (made == NULL) return ENOMEM;
    *out = made;
    return 0;
}
