package eval

import "context"

// Search returns the n chunks that match a question best, by their index, best
// first.
func Search(ctx context.Context, chunks []Chunk, question string, by Retriever, n int) ([]int, error) {
	texts := make([]string, len(chunks))
	all := make([]int, len(chunks))
	for i := range chunks {
		texts[i], all[i] = chunks[i].Full(), i
	}
	score, err := by.Index(ctx, texts, []string{question})
	if err != nil {
		return nil, err
	}
	scores := make([]float32, len(chunks))
	score(0, scores)
	ranking := rank(scores, all)
	return ranking[:min(n, len(ranking))], nil
}
