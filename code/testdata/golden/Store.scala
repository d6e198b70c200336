package com.example

import scala.collection.mutable

/** Keeps rows. */
@deprecated("old", "1.0")
class Store[T](limit: Int) extends Base with Closeable {
  private val rows = mutable.Buffer.empty[T]

  /** Adds a row. */
  def add(row: T): Boolean = {
    if (rows.size >= limit) {
      return false
    }
    rows += row
    true
  }

  override def close(): Unit = rows.clear()
}

object Store {
  val Limit = 10

  def open(path: String): Store[String] = {
    val store = new Store[String](Limit)
    scala.io.Source.fromFile(path).getLines().foreach(store.add)
    store
  }
}

trait Shape {
  def area: Double
}

case class Point(x: Int, y: Int)
