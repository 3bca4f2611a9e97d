import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { collectionOf, type Document } from './bruno/collection.ts'
import { openApiDocument } from './openapi-document.ts'

const FOLDER = join(import.meta.dirname, '../bruno')

// Requests that no longer exist go with the folder.
rmSync(FOLDER, { recursive: true, force: true })
const files = collectionOf((await openApiDocument()) as Document)
for (const { path, text } of files) {
  mkdirSync(join(FOLDER, dirname(path)), { recursive: true })
  writeFileSync(join(FOLDER, path), text)
}
console.log(`${files.length} files in bruno/`)
