#include "kernels.h"

#include <math.h>
#include <string.h>

// Every instruction set compiles the same source, kernels_body.h, which is
// written in vectors of LANES floats: the compiler gives NEON, SSE, AVX2 or
// AVX-512 from it. A tile of ROWS rows and PANELS panels is what fits into the
// registers of each.

#define WIDTH 16 // columns of a panel

// How many terms are added before the next panels' turn: so many rows of them
// stay in the first-level cache while all rows of the other matrix pass by.
#define DEPTH 384

#define LANES 4
#define PANELS 1
#ifdef __aarch64__
#define ROWS 6 // 24 of 32 registers
#else
#define ROWS 2 // 8 of 16
#endif
#define TARGET
#define NAME(f) f##_baseline
#include "kernels_body.h"
#undef LANES
#undef ROWS
#undef PANELS
#undef TARGET
#undef NAME

// GCC for Windows keeps vectors of 32 bytes on a stack that is aligned to 16.
#if defined(__x86_64__) && !defined(_WIN32)
#define WIDE 1

#define LANES 8
#define ROWS 6 // 12 of 16 registers
#define PANELS 1
#define TARGET __attribute__((target("avx2,fma")))
#define NAME(f) f##_avx2
#include "kernels_body.h"
#undef LANES
#undef ROWS
#undef PANELS
#undef TARGET
#undef NAME

#define LANES 16
#define ROWS 12 // 24 of 32 registers
#define PANELS 2
#define TARGET __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma")))
#define NAME(f) f##_avx512
#include "kernels_body.h"
#endif

#ifdef WIDE
#define DISPATCH(f, ...)                               \
	switch (set) {                                     \
	case BERT_AVX512: f##_avx512(__VA_ARGS__); return; \
	case BERT_AVX2: f##_avx2(__VA_ARGS__); return;     \
	default: f##_baseline(__VA_ARGS__); return;        \
	}
#else
#define DISPATCH(f, ...) f##_baseline(__VA_ARGS__)
#endif

void bert_multiply(int set, float *c, long ldc, const float *a, long lda,
                   const float *b, long panel, long ldb, const float *bias,
                   long m, long n, long k) {
	DISPATCH(multiply, c, ldc, a, lda, b, panel, ldb, bias, m, n, k);
}

void bert_softmax(int set, float *x, long m, long n, long ld, float scale) {
	DISPATCH(softmax, x, m, n, ld, scale);
}

void bert_add_norm(int set, float *x, const float *y, const float *gain, const float *bias,
                   long m, long n, float eps) {
	DISPATCH(add_norm, x, y, gain, bias, m, n, eps);
}

void bert_gelu(int set, float *x, long n) {
	DISPATCH(gelu, x, n);
}
