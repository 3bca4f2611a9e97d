import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectionOf, type Document } from './collection.ts'

/** Files of the collection in `folder` that differ from those of the document, are missing, or belong to no operation. */
export function staleFiles(folder: string, document: Document): string[] {
  const expected = new Map(collectionOf(document).map(({ path, text }) => [path, text]))
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  const changed = found.filter((path) => readFileSync(join(folder, path), 'utf8') !== expected.get(path))
  const missing = [...expected.keys()].filter((path) => !found.includes(path))
  return [...changed, ...missing].sort()
}
