<?php
declare(strict_types=1);

namespace App\Store;

use App\Base;

const LIMIT = 10;

/**
 * Keeps rows.
 */
#[Entity]
final class Store extends Base implements Countable
{
    private array $rows = [];

    /** Counts the rows. */
    public function count(): int
    {
        return count($this->rows);
    }

    public static function open(string $path): self
    {
        $store = new self();
        foreach (file($path) as $line) {
            $store->rows[] = trim($line);
        }
        return $store;
    }
}

// Says hello.
function hello(string $name): string
{
    return "hello $name";
}

echo hello("you");
?>
<p>Some text below the code.</p>
