//! Runs the Rust crate text-splitter for the benchmark: see ../../README.md for
//! the request it is given and the answer it prints.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use text_splitter::{ChunkConfig, ChunkSizer, CodeSplitter, MarkdownSplitter, TextSplitter};

#[derive(Deserialize)]
struct Request {
    tool: String,
    encoding: String,
    max: usize,
    #[serde(default)]
    language: String,
    files: String,
    #[serde(default)]
    out: String,
}

#[derive(Serialize)]
struct Answer {
    start: f64,
    cpu: f64,
    wall: f64,
    chunks: usize,
    base: f64,
    peak: f64,
    versions: BTreeMap<String, &'static str>,
}

/// What counts the tokens: what text-splitter ships with, or the fastest crate.
enum Sizer {
    Chars,
    TiktokenRs(&'static tiktoken_rs::CoreBPE),
    Tiktoken(&'static tiktoken::CoreBpe),
}

impl ChunkSizer for Sizer {
    fn size(&self, chunk: &str) -> usize {
        match self {
            Sizer::Chars => chunk.chars().count(),
            Sizer::TiktokenRs(e) => e.size(chunk),
            Sizer::Tiktoken(e) => e.count(chunk),
        }
    }
}

type Cut = Box<dyn for<'a> Fn(&'a str) -> Vec<&'a str>>;

fn tool(r: &Request) -> Result<Cut, Box<dyn Error>> {
    let sizer = match (r.encoding.as_str(), r.tool.ends_with("+tiktoken")) {
        ("chars", _) => Sizer::Chars,
        ("cl100k_base", false) => Sizer::TiktokenRs(tiktoken_rs::cl100k_base_singleton()),
        (name, true) => Sizer::Tiktoken(tiktoken::get_encoding(name).ok_or("no such encoding")?),
        _ => return Err("no such encoding".into()),
    };
    let config = ChunkConfig::new(r.max).with_sizer(sizer);
    Ok(match r.tool.trim_end_matches("+tiktoken") {
        "text" => {
            let s = TextSplitter::new(config);
            Box::new(move |t| s.chunks(t).collect())
        }
        "markdown" => {
            let s = MarkdownSplitter::new(config);
            Box::new(move |t| s.chunks(t).collect())
        }
        "code" => {
            let language: tree_sitter::Language = match r.language.as_str() {
                "go" => tree_sitter_go::LANGUAGE.into(),
                "java" => tree_sitter_java::LANGUAGE.into(),
                "python" => tree_sitter_python::LANGUAGE.into(),
                "rust" => tree_sitter_rust::LANGUAGE.into(),
                "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
                l => return Err(format!("no such language: {l}").into()),
            };
            let s = CodeSplitter::new(language, config)?;
            Box::new(move |t| s.chunks(t).collect())
        }
        t => return Err(format!("no such tool: {t}").into()),
    })
}

/// The versions of crates, as Cargo.lock has them.
fn versions(names: &[&'static str]) -> BTreeMap<String, &'static str> {
    let value = |line: &'static str, key| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"');
    let packages = include_str!("../Cargo.lock").split("[[package]]");
    let pairs = packages.filter_map(|p| Some((p.lines().find_map(|l| value(l, "name"))?, p.lines().find_map(|l| value(l, "version"))?)));
    pairs.filter(|(name, _)| names.contains(name)).map(|(name, v)| (format!("crate {name}"), v)).collect()
}

/// Seconds of processor time of this process.
fn processor() -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// A line of /proc/self/status, in MB.
fn memory(key: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kb = status.lines().find_map(|l| l.strip_prefix(key)?.split_whitespace().next()?.parse::<f64>().ok());
    kb.unwrap_or(0.0) * 1024.0 / 1e6
}

fn main() -> Result<(), Box<dyn Error>> {
    let request: Request = serde_json::from_str(&std::env::args().nth(1).ok_or("usage: adapter REQUEST")?)?;
    let mut documents = Vec::new();
    for path in fs::read_to_string(&request.files)?.lines() {
        documents.push((path.to_string(), fs::read_to_string(path)?));
    }
    let started = Instant::now();
    let cut = tool(&request)?;
    cut("Warm up the tables.\n");
    let start = started.elapsed().as_secs_f64();

    let base = memory("VmRSS:");
    let _ = fs::write("/proc/self/clear_refs", "5"); // the peak counts from here
    let (cpu, wall) = (processor(), Instant::now());
    let chunks = documents.iter().map(|d| std::hint::black_box(cut(&d.1)).len()).sum();
    let answer = Answer {
        start,
        cpu: processor() - cpu,
        wall: wall.elapsed().as_secs_f64(),
        chunks,
        base,
        peak: memory("VmHWM:"),
        versions: versions(&["text-splitter", "tiktoken-rs", "tiktoken", "tree-sitter"]),
    };
    if !request.out.is_empty() {
        let mut out = BufWriter::new(fs::File::create(&request.out)?);
        for (path, text) in &documents {
            for chunk in cut(text) {
                serde_json::to_writer(&mut out, &serde_json::json!({"doc": path, "text": chunk}))?;
                out.write_all(b"\n")?;
            }
        }
        out.flush()?;
    }
    println!("{}", serde_json::to_string(&answer)?);
    Ok(())
}
