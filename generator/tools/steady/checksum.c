// A benchmark for `generator run --command`: prints the medians of two loops for 50 ms each, like libtest. ROUNDS is
// the work of the first; the second reads memory.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef ROUNDS
#define ROUNDS 2000
#endif
#define SLICES 100

static uint64_t memory[1 << 16];
static volatile uint64_t seed = 7;

static uint64_t checksum(void) {
    uint64_t sum = seed;
    for (uint64_t n = 0; n < ROUNDS; n++) sum = (sum ^ n) * 0x100000001b3;
    return sum;
}

static uint64_t walk(void) {
    uint64_t at = seed;
    for (int n = 0; n < 1000; n++) at = memory[at & 0xffff] + n;
    return at;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, uint64_t (*run)(void)) {
    double slices[SLICES];
    for (int slice = 0; slice < SLICES; slice++) {
        double start = now(), end;
        int count = 0;
        do {
            for (int n = 0; n < 16; n++) seed = run() | 1;
            count += 16;
            end = now();
        } while (end - start < 5e5);
        slices[slice] = (end - start) / count;
    }
    qsort(slices, SLICES, sizeof *slices, compare);
    printf("test %s ... bench: %.2f ns/iter (+/- %.2f)\n", name, slices[SLICES / 2], slices[SLICES - 10] - slices[10]);
}

int main(void) {
    for (int n = 0; n < 1 << 16; n++) memory[n] = (n * 2654435761u) >> 8;
    measure("checksum", checksum);
    measure("walk", walk);
    return 0;
}
