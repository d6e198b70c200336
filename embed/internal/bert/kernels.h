// The numeric kernels of package bert. See kernels.go for what each computes.

#ifndef CANTLE_BERT_KERNELS_H
#define CANTLE_BERT_KERNELS_H

// Instruction sets that kernels are compiled for.
enum { BERT_BASELINE, BERT_AVX2, BERT_AVX512 };

// c[m][n] = a[m][k] · b + bias. n is a multiple of 16; rows of a and c are lda
// and ldc floats apart. b holds its columns in panels of 16: panel p starts at
// b+p*panel, its rows are ldb floats apart. bias may be NULL.
void bert_multiply(int set, float *c, long ldc, const float *a, long lda,
                   const float *b, long panel, long ldb, const float *bias,
                   long m, long n, long k);

// softmax over the first n floats of each of m rows, of the row times scale. Rows
// are ld floats apart, a multiple of 16; what follows the first n becomes about 0.
void bert_softmax(int set, float *x, long m, long n, long ld, float scale);

// x = layer norm of x+y, over each of m rows of n floats, a multiple of 16.
void bert_add_norm(int set, float *x, const float *y, const float *gain, const float *bias,
                   long m, long n, float eps);

// x = x * Φ(x), for n floats, a multiple of 16.
void bert_gelu(int set, float *x, long n);

#endif
