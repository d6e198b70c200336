package milvus

import (
	"context"
	"time"

	"github.com/milvus-io/milvus/client/v2/entity"
	"github.com/milvus-io/milvus/client/v2/index"
	"github.com/milvus-io/milvus/client/v2/milvusclient"

	"github.com/cantle/cantle/store/internal/turns"
)

// madeBy is the description of the collections.
const madeBy = "made by cantle"

// ensure makes a collection where it is not there, and has the server load it.
// Each step is taken where it has not been, so a process that died between two
// of them, or one that does the same at this moment, is no trouble.
func ensure(ctx context.Context, client *milvusclient.Client, schema *entity.Schema, indexes map[string]index.Index) error {
	name := schema.CollectionName
	isThere := func() (bool, error) {
		return client.HasCollection(ctx, milvusclient.NewHasCollectionOption(name))
	}
	if has, err := isThere(); err != nil {
		return err
	} else if !has {
		err := client.CreateCollection(ctx, milvusclient.NewCreateCollectionOption(name, schema).WithShardNum(1).WithConsistencyLevel(entity.ClStrong))
		for try := 0; err != nil && try < 100; try++ { // or is another process about to?
			if has, hasErr := isThere(); has && hasErr == nil {
				err = nil
			} else if turns.Wait(ctx, pause) != nil {
				break
			}
		}
		if err != nil {
			return err
		}
	}
	isLoaded := func() (bool, error) {
		state, err := client.GetLoadState(ctx, milvusclient.NewGetLoadStateOption(name))
		return state.State == entity.LoadStateLoaded, err
	}
	if loaded, err := isLoaded(); err != nil || loaded {
		return err
	}
	for field, how := range indexes {
		if _, err := client.CreateIndex(ctx, milvusclient.NewCreateIndexOption(name, field, how)); err != nil {
			return err
		}
	}
	if _, err := client.LoadCollection(ctx, milvusclient.NewLoadCollectionOption(name)); err != nil {
		return err
	}
	for {
		if loaded, err := isLoaded(); err != nil || loaded {
			return err
		}
		if err := turns.Wait(ctx, pause); err != nil {
			return err
		}
	}
}

// pause is how long is waited before the server is asked again.
const pause = 20 * time.Millisecond
