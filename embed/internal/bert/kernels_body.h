// Included by kernels.c once for each instruction set, with
//
//	LANES   floats of a vector: 4, 8 or 16
//	ROWS    rows of a tile
//	PANELS  panels of a tile
//	TARGET  the attribute that lets a function use the instruction set
//	NAME(f) what f is called for it

#define vec NAME(vec)
#define ivec NAME(ivec)
#define INLINE static inline __attribute__((always_inline)) TARGET
#define PER_PANEL (WIDTH / LANES)

typedef float vec __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int ivec __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

// tile computes rows x panels of c over k terms, added to bias, or to what c
// holds where more is set. rows and panels are constants wherever it is inlined,
// so that acc is registers.
INLINE void NAME(tile)(const int rows, const int panels, float *c, long ldc, const float *a, long lda,
                       const float *b, long panel, long ldb, const float *bias, int more, long k) {
	vec acc[ROWS][PANELS * PER_PANEL];
	const int width = panels * PER_PANEL;
#pragma GCC unroll 16
	for (int i = 0; i < rows; i++) {
#pragma GCC unroll 8
		for (int j = 0; j < width; j++) {
			if (more)
				acc[i][j] = *(vec *)(c + i * ldc + j * LANES);
			else if (bias)
				acc[i][j] = *(vec *)(bias + j * LANES);
			else
				acc[i][j] = (vec){0};
		}
	}
	for (long p = 0; p < k; p++) {
		vec row[PANELS * PER_PANEL];
#pragma GCC unroll 8
		for (int j = 0; j < width; j++)
			row[j] = *(vec *)(b + (j / PER_PANEL) * panel + (j % PER_PANEL) * LANES);
#pragma GCC unroll 16
		for (int i = 0; i < rows; i++) {
			float x = a[i * lda + p];
#pragma GCC unroll 8
			for (int j = 0; j < width; j++)
				acc[i][j] += x * row[j];
		}
		b += ldb;
	}
#pragma GCC unroll 16
	for (int i = 0; i < rows; i++) {
#pragma GCC unroll 8
		for (int j = 0; j < width; j++)
			*(vec *)(c + i * ldc + j * LANES) = acc[i][j];
	}
}

// column computes all m rows of some panels, over k terms.
INLINE void NAME(column)(const int panels, float *c, long ldc, const float *a, long lda,
                         const float *b, long panel, long ldb, const float *bias, int more, long m, long k) {
	long i = 0;
	for (; i + ROWS <= m; i += ROWS)
		NAME(tile)(ROWS, panels, c + i * ldc, ldc, a + i * lda, lda, b, panel, ldb, bias, more, k);
	c += i * ldc;
	a += i * lda;
#define REST(n)                                                              \
	case n:                                                                  \
		if (n < ROWS)                                                        \
			NAME(tile)(n < ROWS ? n : 1, panels, c, ldc, a, lda, b, panel, ldb, bias, more, k); \
		break;
	switch (m - i) {
		REST(1) REST(2) REST(3) REST(4) REST(5) REST(6) REST(7) REST(8) REST(9) REST(10) REST(11)
	}
#undef REST
}

static TARGET void NAME(multiply)(float *c, long ldc, const float *a, long lda,
                                  const float *b, long panel, long ldb, const float *bias,
                                  long m, long n, long k) {
	long j = 0;
	for (; j + PANELS * WIDTH <= n; j += PANELS * WIDTH)
		for (long p = 0; p < k; p += DEPTH)
			NAME(column)(PANELS, c + j, ldc, a + p, lda, b + j / WIDTH * panel + p * ldb, panel, ldb,
			             bias ? bias + j : NULL, p > 0, m, k - p < DEPTH ? k - p : DEPTH);
	for (; j < n; j += WIDTH)
		for (long p = 0; p < k; p += DEPTH)
			NAME(column)(1, c + j, ldc, a + p, lda, b + j / WIDTH * panel + p * ldb, panel, ldb,
			             bias ? bias + j : NULL, p > 0, m, k - p < DEPTH ? k - p : DEPTH);
}

// larger returns the larger of a and b, lane by lane; b where a is not a number.
INLINE vec NAME(larger)(vec a, vec b) {
	ivec which = a > b;
	return (vec)(((ivec)a & which) | ((ivec)b & ~which));
}

// exponential returns e^x for x from -87 to 88, and e^-87 below, by 2^n times the
// Taylor series over half a factor of 2 around 1.
INLINE vec NAME(exponential)(vec x) {
	x = NAME(larger)(x, (vec){0} - 87.0f);
	const float round = 0x1.8p23f; // x + round has no bits below 1
	vec t = x * 0x1.715476p0f + round;
	ivec two_to_n = ((ivec)t << 23) + (127 << 23); // round's own low bits are zero
	vec n = t - round;
	vec r = x - n * 0x1.62ep-1f - n * 0x1.0bfbe8p-15f; // ln 2 in two parts, the first exact times n
	vec p = r * (1 / 5040.0f) + 1 / 720.0f;
	p = p * r + 1 / 120.0f;
	p = p * r + 1 / 24.0f;
	p = p * r + 1 / 6.0f;
	p = p * r + 0.5f;
	p = p * r + 1.0f;
	p = p * r + 1.0f;
	return p * (vec)two_to_n;
}

// sum adds lanes in a fixed order.
INLINE float NAME(sum)(vec x) {
	float s = 0;
	for (int i = 0; i < LANES; i++)
		s += x[i];
	return s;
}

static TARGET void NAME(softmax)(float *x, long m, long n, long ld, float scale) {
	for (long i = 0; i < m; i++, x += ld) {
		for (long j = n; j < ld; j++)
			x[j] = -INFINITY;
		vec tops = *(vec *)x;
		for (long j = LANES; j < ld; j += LANES)
			tops = NAME(larger)(tops, *(vec *)(x + j));
		float top = tops[0];
		for (int j = 1; j < LANES; j++)
			top = tops[j] > top ? tops[j] : top;
		vec total = {0};
		for (long j = 0; j < ld; j += LANES) {
			vec e = NAME(exponential)((*(vec *)(x + j) - top) * scale);
			*(vec *)(x + j) = e;
			total += e;
		}
		float share = 1 / NAME(sum)(total);
		for (long j = 0; j < ld; j += LANES)
			*(vec *)(x + j) *= share;
	}
}

static TARGET void NAME(add_norm)(float *x, const float *y, const float *gain, const float *bias,
                                  long m, long n, float eps) {
	for (long i = 0; i < m; i++, x += n, y += n) {
		vec total = {0};
		for (long j = 0; j < n; j += LANES)
			total += *(vec *)(x + j) += *(vec *)(y + j);
		float mean = NAME(sum)(total) / n;
		vec squares = {0};
		for (long j = 0; j < n; j += LANES) {
			vec d = *(vec *)(x + j) - mean;
			squares += d * d;
		}
		float scale = 1 / sqrtf(NAME(sum)(squares) / n + eps);
		for (long j = 0; j < n; j += LANES)
			*(vec *)(x + j) = (*(vec *)(x + j) - mean) * scale * *(vec *)(gain + j) + *(vec *)(bias + j);
	}
}

// gelu takes the error function from Abramowitz and Stegun, 7.1.26, which is off
// by at most 1.5e-7.
static TARGET void NAME(gelu)(float *x, long n) {
	for (long j = 0; j < n; j += LANES) {
		vec v = *(vec *)(x + j);
		ivec sign = (ivec)v & (int)0x80000000;
		vec u = (vec)((ivec)v ^ sign) * 0x1.6a09e6p-1f; // |v| / sqrt 2
		vec t = 1.0f / (1.0f + 0.3275911f * u);
		vec p = t * 1.061405429f - 1.453152027f;
		p = p * t + 1.421413741f;
		p = p * t - 0.284496736f;
		p = p * t + 0.254829592f;
		vec erf = 1.0f - p * t * NAME(exponential)(-u * u);
		*(vec *)(x + j) = 0.5f * v * (1.0f + (vec)((ivec)erf | sign));
	}
}

#undef vec
#undef ivec
#undef INLINE
#undef PER_PANEL
