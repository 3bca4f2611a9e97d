import { once } from 'node:events'
import pg from 'pg'

/**
 * Labelled points of a process at which it may be killed: before and after each commit, and before and after each
 * transaction is handed to a node. They stand at the doors that everything passes, so no product code knows of them.
 */
export interface CrashPoints {
  /** The labels of the points that were passed, in order. */
  readonly labels: readonly string[]
}

/** Counts the points, and kills this process, as a crash would, at number `dieAt` (from 1). */
export function installCrashPoints(dieAt: number | undefined): CrashPoints {
  const labels: string[] = []
  const pass = async (label: string): Promise<void> => {
    labels.push(label)
    if (labels.length !== dieAt) return
    await say(`died at ${label}`)
    process.kill(process.pid, 'SIGKILL')
    // The signal takes a moment, in which nothing more may happen.
    await new Promise(() => {})
  }

  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (!/^commit\b/i.test(textOf(args[0]))) return Reflect.apply(query, this, args)
    return pass('before commit')
      .then(() => Reflect.apply(query, this, args))
      .then(async (result) => {
        await pass('after commit')
        return result
      })
  } as pg.Client['query']

  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const sends = typeof init?.body === 'string' && /"(eth_sendRawTransaction|sendTransaction)"/.test(init.body)
    if (sends) await pass('before send')
    const answer = await fetch(input, init)
    if (sends) await pass('after send')
    return answer
  }
  return { labels }
}

/** A line that is out before the process can die. */
export async function say(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  return String((statement as { text?: unknown } | null)?.text ?? '')
}
