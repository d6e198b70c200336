package rank

import (
	"cmp"
	"slices"
)

// fusionRank damps the weight of the first ranks, as is the custom.
const fusionRank = 60

// FusionDepth is how far down each of several rankings is looked at, by the
// stores and where they are measured.
const FusionDepth = 1000

// A Scored is something with its score.
type Scored[T any] struct {
	Item  T
	Score float32
}

// Fuse makes one ranking of several, each the best first: an item gets from
// each that it is in 1/(60 + its rank there, from 0). Items of equal score
// stand as less says, or if neither is less as they came.
func Fuse[T comparable](less func(a, b T) int, rankings ...[]T) []Scored[T] {
	at := map[T]int{}
	var all []Scored[T]
	for _, ranking := range rankings {
		for n, item := range ranking {
			i, ok := at[item]
			if !ok {
				i = len(all)
				at[item] = i
				all = append(all, Scored[T]{Item: item})
			}
			all[i].Score += 1 / float32(fusionRank+n)
		}
	}
	slices.SortStableFunc(all, func(x, y Scored[T]) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), less(x.Item, y.Item))
	})
	return all
}
