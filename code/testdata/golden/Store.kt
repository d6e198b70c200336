package com.example

import java.io.File

/** How many rows fit. */
const val LIMIT = 10

/**
 * Keeps rows.
 */
@Serializable
class Store<T>(private val limit: Int = LIMIT) : Base(), Closeable {
    private val rows = mutableListOf<T>()

    val size: Int
        get() = rows.size

    /** Adds a row. */
    fun add(row: T): Boolean {
        if (rows.size >= limit) {
            return false
        }
        rows.add(row)
        return true
    }

    override fun close() = rows.clear()

    companion object {
        fun open(path: String): Store<String> {
            val store = Store<String>()
            File(path).forEachLine { store.add(it) }
            return store
        }
    }
}

// Says hello.
fun String.hello(): String {
    return "hello $this"
}

interface Shape {
    fun area(): Double
}

enum class Color { RED, GREEN }

object Registry {
    fun get(name: String) = names[name]
}
