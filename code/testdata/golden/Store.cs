// Copyright Example.
using System;
using System.Collections.Generic;

namespace Example.Stores
{
    /// <summary>
    /// Keeps things by name.
    /// </summary>
    [Serializable]
    public class Store<T> : IStore<T> where T : class
    {
        private readonly Dictionary<string, T> items = new();

        public int Count => items.Count;

        /// <summary>How many may be kept.</summary>
        public int Limit
        {
            get { return limit; }
            set { limit = value; }
        }

        public Store(int limit)
        {
            this.limit = limit;
        }

        /// <summary>Finds one.</summary>
        [Obsolete("use TryFind")]
        public T Find(string name)
        {
            if (!items.TryGetValue(name, out var item))
            {
                throw new KeyNotFoundException(name);
            }
            return item;
        }
    }

    public enum Color { Red, Green }

    public record Point(int X, int Y);

    public interface IStore<T>
    {
        T Find(string name);
    }
}
