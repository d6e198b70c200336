module Store exposing (Row, add)

import Html exposing (text)


type alias Row =
    { name : String
    , size : Int
    }


type Msg
    = Add Row
    | Clear


{-| Adds a row.
-}
add : Row -> List Row -> List Row
add row rows =
    if List.length rows >= limit then
        rows

    else
        row :: rows


limit : Int
limit =
    10


main =
    text "hello"
