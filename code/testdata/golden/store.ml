open Printf

(** How many rows fit. *)
let limit = 10

type row = {
  name : string;
  size : int;
}

exception Full of string

(** Adds a row. *)
let add rows row =
  if List.length rows >= limit then raise (Full "no room")
  else begin
    printf "adding %s\n" row.name;
    row :: rows
  end

module Store = struct
  type t = row list

  (* Makes an empty one. *)
  let empty = []

  let rec total rows =
    match rows with
    | [] -> 0
    | row :: rest -> row.size + total rest
end

module type Shape = sig
  val area : unit -> float
end

class counter = object
  val mutable count = 0
  method next =
    count <- count + 1;
    count
end

let () = printf "%d\n" (Store.total [])
