import { appendFileSync } from 'node:fs'
import type { App } from '../src/surfaces/http/index.ts'

/** A response with a JSON body. */
export interface Answer {
  readonly method: string
  /** As in the document. */
  readonly path: string
  readonly status: number
  readonly body: unknown
}

/** With RECORD_EXAMPLES=<file>, tests write each successful answer there; `scripts/write-examples.ts` chooses of them. */
export function recordExample(answer: Answer): void {
  const file = process.env.RECORD_EXAMPLES
  if (file && answer.status < 300) appendFileSync(file, `${JSON.stringify(answer)}\n`)
}

/** For the routes that are added after it. */
export function recordAnswers(app: App): void {
  if (!process.env.RECORD_EXAMPLES) return
  app.addHook('onSend', async ({ method, routeOptions }, { statusCode: status }, payload) => {
    const path = routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}')
    if (path && typeof payload === 'string' && payload.startsWith('{'))
      recordExample({ method, path, status, body: JSON.parse(payload) })
    return payload
  })
}
