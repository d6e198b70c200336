-- Keeps rows.
CREATE TABLE rows (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    size INT DEFAULT 0
);

CREATE INDEX rows_name ON rows (name);

/* The big ones. */
CREATE VIEW big_rows AS
SELECT id, name
FROM rows
WHERE size > 100
ORDER BY name;

INSERT INTO rows (id, name, size) VALUES
    (1, 'first', 10),
    (2, 'second', 200),
    (3, 'third', 300);

CREATE FUNCTION total() RETURNS bigint AS $$
BEGIN
    RETURN (SELECT sum(size) FROM rows);
END;
$$ LANGUAGE plpgsql;

SELECT name, count(*)
FROM rows
GROUP BY name;
