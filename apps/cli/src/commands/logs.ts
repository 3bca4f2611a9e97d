import { setTimeout as wait } from 'node:timers/promises'
import { connectAsMember, connectWithKey, URL_OPTION, type UrlOption } from '../connect.ts'
import { defineCommand } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import { EXIT, type Shell, UsageError } from '../shell.ts'
import { printable } from '../table.ts'
import { eventsOf, idAfter } from './listen.ts'

interface TailOptions extends UrlOption {
  readonly source?: 'events' | 'audit'
  readonly events?: string
  readonly after?: string
  readonly json?: boolean
}

const POLL_MS = 2_000
const PAGE = 100

export function defineLogCommands({ group, shell, end }: Definer): void {
  defineCommand<TailOptions>(
    group('logs', 'What happens in the organization'),
    { shell, end },
    {
      usage: 'tail',
      summary: 'Print events, or entries of the audit log, as they occur',
      description:
        'Prints a line for each event (with an API key), or for each audited request that changed something (as an owner or admin). Runs until Ctrl-C.',
      options: [
        ['--source <source>', 'what to print, the first by default', ['events', 'audit']],
        ['--events <events>', 'only these events, separated by commas; * stands for any text'],
        ['--after <id>', 'begin after this event or entry instead of now'],
        URL_OPTION,
      ],
      examples: [
        { run: "logs tail --events 'operation.*'", does: 'follow operations' },
        { run: 'logs tail --source audit', does: 'who changes what' },
        { run: 'logs tail --json | jq .data.operationId', does: 'one JSON object per line' },
      ],
      async run(own, _args, options) {
        try {
          await (options.source === 'audit' ? tailAudit(own, options) : tailEvents(own, options))
        } catch (error) {
          if (!own.interrupted.aborted) throw error
        }
        return { json: undefined, code: EXIT.done }
      },
    },
  )
}

async function tailEvents(shell: Shell, options: TailOptions): Promise<void> {
  const { eventFilter } = await import('../event-filter.ts')
  const isWanted = eventFilter(options.events ?? '*')
  const after = idAfter(options)
  const connection = await connectWithKey(shell, options)
  const ready = () => {
    if (!options.json) shell.err(`events of ${connection.baseUrl}; Ctrl-C ends it`)
  }
  for await (const event of eventsOf(connection, shell, { after, ready })) {
    if (!isWanted(event.event)) continue
    if (options.json) shell.out(JSON.stringify(event))
    else
      shell.out(
        `${shell.paint('dim', event.timestamp)}  ${event.event.padEnd(22)}  ${printable(JSON.stringify(event.data), 400)}`,
      )
  }
}

interface Entry {
  readonly id: number
  readonly at: string
  readonly action: string
  readonly actor: { readonly type: string; readonly id: number | null; readonly name: string | null }
  readonly object: { readonly type: string; readonly id: number | null }
  readonly from: string | null
}

/** The audit log has no stream: polls its newest page, and reads further pages as long as entries are new. */
async function tailAudit(shell: Shell, options: TailOptions): Promise<void> {
  const after = idAfter(options)
  const connection = await connectAsMember(shell, options)
  const { ApiError } = await import('../../../../packages/sdk/src/index.ts')
  const pageOf = async (offset: number) =>
    (await connection.weir.core.auditLog.list({ limit: PAGE, offset })).entries as readonly Entry[]
  let last: number | undefined
  try {
    last = after ?? (await pageOf(0))[0]?.id ?? 0
    if (!options.json) shell.err(`audit log of ${connection.baseUrl}; Ctrl-C ends it`)
    for (;;) {
      const since = last
      const fresh: Entry[] = []
      for (let offset = 0; ; offset += PAGE) {
        const page = await pageOf(offset)
        fresh.push(...page.filter(({ id }) => id > since && !fresh.some((known) => known.id === id)))
        if (page.length < PAGE || page.at(-1)!.id <= since) break
      }
      for (const entry of fresh.toReversed()) {
        last = entry.id
        shell.out(options.json ? JSON.stringify(entry) : entryLine(shell, entry))
      }
      await wait(POLL_MS, undefined, { signal: shell.interrupted })
    }
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401) || last === undefined) throw error
    throw new UsageError(
      `the session has ended: sign in again, and continue with --after ${last}. With WEIR_EMAIL this command renews its session; an access token in WEIR_ACCESS_TOKEN ends after an hour`,
    )
  } finally {
    await connection.close()
  }
}

function entryLine(shell: Shell, { at, action, actor, object, from }: Entry): string {
  const who = `${actor.type} ${actor.id ?? ''} ${printable(actor.name ?? '', 40)}`.trim()
  const what = `${object.type}${object.id === null ? '' : ` ${object.id}`}`
  return `${shell.paint('dim', at)}  ${action.padEnd(24)}  ${what.padEnd(20)}  ${who}${from ? ` from ${from}` : ''}`
}
