package com.example

import groovy.json.JsonSlurper

/** Keeps rows. */
class Store extends Base {
    private List rows = []

    /** Adds a row. */
    boolean add(Object row) {
        if (rows.size() >= LIMIT) {
            return false
        }
        rows << row
        return true
    }
}

def hello(String name) {
    return "hello ${name}"
}

dependencies {
    implementation "org.example:lib:1.0"
    testImplementation "junit:junit:4.13"
}
