import { once } from 'node:events'
import pg from 'pg'

/**
 * Labelled points at which a process may be killed: before and after each commit, and before and after each
 * broadcast. They hook into shared functions, so no product code refers to them.
 */
export interface CrashPoints {
  /** The labels of the points passed so far, in order. */
  readonly labels: readonly string[]
}

/** Options for additional points. */
export interface CrashPointOptions {
  /** What the process is doing: the prefix of each label. */
  readonly doing: () => string
}

/**
 * Counts the points and kills this process at number `dieAt` (from 1), or at the first with this label, as a crash would.
 * `more` adds points before and after each autocommitted write.
 */
export function installCrashPoints(dieAt: number | string | undefined, more?: CrashPointOptions): CrashPoints {
  const labels: string[] = []
  const inTransaction = new WeakSet<pg.Client>()
  const pass = async (point: string): Promise<void> => {
    const label = more ? `${more.doing()}: ${point}` : point
    labels.push(label)
    if (label !== dieAt && labels.length !== dieAt) return
    await say(`died at ${label}`)
    process.kill(process.pid, 'SIGKILL')
    // The signal takes a moment to arrive; nothing may run meanwhile.
    await new Promise(() => {})
  }

  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const text = textOf(args[0])
    const point = pointOf(text, more !== undefined && !inTransaction.has(this))
    if (/^(begin|start)\b/i.test(text)) inTransaction.add(this)
    if (/^(commit|rollback)\b/i.test(text)) inTransaction.delete(this)
    if (point === undefined) return Reflect.apply(query, this, args)
    return pass(`before ${point}`)
      .then(() => Reflect.apply(query, this, args))
      .then(async (result) => {
        await pass(`after ${point}`)
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

function pointOf(statement: string, commitsByItself: boolean): 'commit' | 'write' | undefined {
  if (/^commit\b/i.test(statement)) return 'commit'
  return commitsByItself && /\b(insert into|update|delete from)\b/i.test(statement) ? 'write' : undefined
}

/** Writes a line and waits until it is flushed: the process may die next. */
export async function say(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  return String((statement as { text?: unknown } | null)?.text ?? '')
}
