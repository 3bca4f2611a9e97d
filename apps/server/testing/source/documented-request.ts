import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './source-tree.ts'

/** A request as a page shows it. */
export interface DocumentedRequest {
  readonly method: string
  /** With the variables of the page, such as `$ID`. */
  readonly path: string
  readonly body: unknown
}

/** The request of the one `curl` of a page whose path begins so: tests send what the page shows. */
export function documentedRequest(page: string, path: string): DocumentedRequest {
  const text = readFileSync(join(REPOSITORY, page), 'utf8')
  const command = new RegExp(
    String.raw`curl (?:-X (\w+) )?"\$BASE(${path.replaceAll(/[$/]/g, '\\$&')}[^"]*)"[^']*(?:'[^']*'[^']*)*? -d '([^']*)'`,
  )
  const [, method, found, body] = command.exec(text) ?? []
  if (found === undefined || body === undefined) throw new Error(`${page} shows no request to ${path} with a body`)
  return { method: method ?? 'POST', path: found, body: JSON.parse(body) }
}
