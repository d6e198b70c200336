defmodule Keeping.Store do
  @moduledoc """
  Keeps rows.
  """

  use GenServer

  @limit 10

  defstruct rows: []

  @doc """
  Adds a row.
  """
  @spec add(t, term) :: t
  def add(%__MODULE__{rows: rows} = store, row) when length(rows) < @limit do
    %{store | rows: [row | rows]}
  end

  def add(store, _row), do: store

  # Starts empty.
  @impl true
  def init(_) do
    state = %__MODULE__{}
    {:ok, state}
  end

  defp hidden(x) do
    x + 1
  end

  defmacro twice(do: block) do
    quote do
      unquote(block)
      unquote(block)
    end
  end
end

defimpl String.Chars, for: Keeping.Store do
  def to_string(store), do: "a store of #{length(store.rows)} rows"
end
