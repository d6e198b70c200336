package eval

import "context"

// Search returns the n chunks that match a question best, by their index, best
// first.
func Search(ctx context.Context, chunks []Chunk, question string, by Retriever, n int) ([]int, error) {
	all := make([]int, len(chunks))
	for i := range all {
		all[i] = i
	}
	score, err := by.Index(ctx, chunks, []string{question})
	if err != nil {
		return nil, err
	}
	scores := make([]float32, len(chunks))
	score(0, all, scores)
	ranking := ranked(scores, all)
	return ranking[:min(n, len(ranking))], nil
}
