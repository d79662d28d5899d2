// The generator's source of pseudo-random numbers: xoshiro256++ 1.0 by Blackman and Vigna, its
// state filled by SplitMix64 (https://prng.di.unimi.it/). A number has 64 bits, as two halves of
// 32: JavaScript's whole numbers end at 53, and its BigInt is twenty times slower.

const WORD = 0xffff_ffff_ffff_ffffn;

/** Seeded by numbers: FNV-1a (RFC 9923) over the bytes of their IEEE 754 forms. */
export function ofNumbers(numbers) {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const byte of new Uint8Array(Float64Array.from(numbers).buffer)) {
    hash = ((hash ^ BigInt(byte)) * 0x0000_0100_0000_01b3n) & WORD;
  }
  return new Random(hash);
}

function* splitMix(seed) {
  for (let state = seed; ; ) {
    state = (state + 0x9e37_79b9_7f4a_7c15n) & WORD;
    let z = ((state ^ (state >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & WORD;
    z = ((z ^ (z >> 27n)) * 0x94d0_49bb_1331_11ebn) & WORD;
    yield z ^ (z >> 31n);
  }
}

export class Random {
  /** @param {bigint} seed different seeds give unrelated numbers */
  constructor(seed) {
    const words = splitMix(seed);
    // Low and high half of each of the four words.
    this.state = new Uint32Array(8);
    for (let i = 0; i < 8; i += 2) {
      const word = words.next().value;
      this.state[i] = Number(word & 0xffff_ffffn);
      this.state[i + 1] = Number(word >> 32n);
    }
    this.low = 0;
    this.high = 0;
  }

  /** Draws 64 random bits into `low` and `high`. */
  draw() {
    const s = this.state;
    // rotate_left(s0 + s3, 23) + s0
    const sumLow = (s[0] + s[6]) >>> 0;
    const sumHigh = (s[1] + s[7] + (sumLow < s[0] ? 1 : 0)) >>> 0;
    const turnedLow = ((sumLow << 23) | (sumHigh >>> 9)) >>> 0;
    const turnedHigh = ((sumHigh << 23) | (sumLow >>> 9)) >>> 0;
    this.low = (turnedLow + s[0]) >>> 0;
    this.high = (turnedHigh + s[1] + (this.low < turnedLow ? 1 : 0)) >>> 0;

    const shiftedLow = s[2] << 17;
    const shiftedHigh = (s[3] << 17) | (s[2] >>> 15);
    s[4] ^= s[0];
    s[5] ^= s[1];
    s[6] ^= s[2];
    s[7] ^= s[3];
    s[2] ^= s[4];
    s[3] ^= s[5];
    s[0] ^= s[6];
    s[1] ^= s[7];
    s[4] ^= shiftedLow;
    s[5] ^= shiftedHigh;
    // rotate_left(s3, 45): the halves change places, and 13 more.
    const [low, high] = [s[6], s[7]];
    s[6] = (high << 13) | (low >>> 19);
    s[7] = (low << 13) | (high >>> 19);
  }

  /** A position on a line of 2³² places. */
  position() {
    this.draw();
    return this.high;
  }

  /** How many of `n` fair coins show heads. */
  heads(n) {
    let count = 0;
    for (let word = Math.floor(n / 64); word > 0; word -= 1) {
      this.draw();
      count += ones(this.low) + ones(this.high);
    }
    this.draw();
    const rest = n % 64;
    const low = rest < 32 ? this.low & ((1 << rest) - 1) : this.low;
    const high = rest < 32 ? 0 : this.high & ((1 << (rest - 32)) - 1);
    return count + ones(low) + ones(high);
  }
}

/** Which of `n` equal parts of the line holds a position. */
export function partOf(position, n) {
  return Math.floor((position * n) / 2 ** 32);
}

/** The number of bits that are set, added in pairs, fours and bytes. */
function ones(word) {
  let w = word - ((word >>> 1) & 0x5555_5555);
  w = (w & 0x3333_3333) + ((w >>> 2) & 0x3333_3333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
