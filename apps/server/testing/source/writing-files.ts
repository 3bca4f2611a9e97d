import { type Declared, declarationsIn, mentionsIn } from './declarations.ts'
import type { SourceFile } from './source-tree.ts'

/** Writes a table, opens the transaction in which others do, or passes on the one that its caller commits with. */
const WRITES =
  /\b(insertInto|updateTable|deleteFrom)\(|\binsert into [a-z_]+|\bupdate [a-z_]+ (?:[a-z] )?set\b|\bdelete from [a-z_]+|\b(inTransaction\(|transact\b)/

/**
 * The files with an exported function or constant that changes state: it writes itself, or mentions one that does, in
 * its own file or in another one of `files`, however far down.
 */
export function writingFiles(files: readonly SourceFile[]): string[] {
  const { all, find } = declarationsIn(files)
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const writers = new Set(
    all.filter(({ path, node }) => WRITES.test(codeOf(texts.get(path)!.slice(node.start, node.end)))),
  )
  const mentioned = new Map<Declared, readonly (Declared | undefined)[]>(
    all.map((one) => [
      one,
      mentionsIn(one.node).flatMap((mention) => ('name' in mention ? [find(one.path, mention.name)] : [])),
    ]),
  )
  for (let known = -1; known !== writers.size; ) {
    known = writers.size
    for (const [one, others] of mentioned) if (others.some((other) => other && writers.has(other))) writers.add(one)
  }
  return [...new Set([...writers].filter(({ isExported }) => isExported).map(({ path }) => path))].toSorted()
}

/** Text without its comments. */
const codeOf = (text: string): string => text.replace(/^\s*(\*|\/\/|\/\*).*$/gm, '')
