// A bursty neighbour: writes over 64 MiB for up to 5 s, rests for up to 5 s, and so on. Usage: neighbour SEED
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 64 << 20, MAX_MS = 5000 };

static long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(int count, char **arguments) {
    srand(count > 1 ? atoi(arguments[1]) : 1);
    char *volatile memory = malloc(SIZE);
    for (;;) {
        for (long end = now_ms() + rand() % MAX_MS; now_ms() < end;) memset(memory, rand(), SIZE);
        usleep(rand() % MAX_MS * 1000);
    }
}
