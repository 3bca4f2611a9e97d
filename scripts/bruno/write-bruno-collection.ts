import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openApiDocument } from '../openapi/openapi-document.ts'
import { collectionOf, type Document } from './collection.ts'

const FOLDER = join(import.meta.dirname, '../../bruno')

// Requests that no longer exist go with the folder.
rmSync(FOLDER, { recursive: true, force: true })
const files = collectionOf((await openApiDocument()) as Document)
for (const { path, text } of files) {
  mkdirSync(join(FOLDER, dirname(path)), { recursive: true })
  writeFileSync(join(FOLDER, path), text)
}
console.log(`${files.length} files in bruno/`)
