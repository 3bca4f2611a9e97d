import type { Connection, UrlOption } from '../connect.ts'
import { connectWithKey, URL_OPTION } from '../connect.ts'
import { defineCommand } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import type { Delivery, StreamedEvent } from '../forward.ts'
import { EXIT, type Shell, UsageError } from '../shell.ts'
import { printable } from '../table.ts'

interface ListenOptions extends UrlOption {
  readonly forwardTo?: readonly string[]
  readonly events?: string
  readonly after?: string
  readonly printSecret?: boolean
  readonly json?: boolean
}

export function defineListen({ program, shell, end }: Definer): void {
  defineCommand<ListenOptions>(
    program,
    { shell, end },
    {
      usage: 'listen',
      summary: 'Forward events to your own machine as signed webhooks',
      description:
        'Sends each event to your URLs with the body, headers and signature of a webhook, but needs no webhook and no public address. A failed delivery is shown and not repeated; --after sends events again. WEBHOOK_SECRET signs, or else a secret that follows from your API key. Runs until Ctrl-C.',
      options: [
        [
          '--forward-to <url...>',
          'where to; repeat for several, and put events before an = to send only these: operation.*=http://127.0.0.1:8080/ops',
        ],
        ['--events <events>', 'only these events, separated by commas; * stands for any text'],
        ['--after <id>', 'begin after this event instead of now'],
        ['--print-secret', 'print the secret for your receiver and exit'],
        URL_OPTION,
      ],
      examples: [
        { run: 'listen --forward-to http://127.0.0.1:8080/weir', does: 'all events' },
        {
          run: "listen --events 'operation.*' --forward-to http://127.0.0.1:8080/weir?tenant=7",
          does: 'only operations; the query is kept',
        },
      ],
      run: (own, _args, options) => listen(own, options),
    },
  )
}

async function listen(shell: Shell, options: ListenOptions) {
  const [{ eventFilter }, { parseTargets, sign, derivedSecret, forward }] = await Promise.all([
    import('../event-filter.ts'),
    import('../forward.ts'),
  ])
  const after = idAfter(options)
  const isWanted = eventFilter(options.events ?? '*')
  const targets = (options.forwardTo ?? []).flatMap(parseTargets)
  const connection = await connectWithKey(shell, options)
  const own = shell.env.WEBHOOK_SECRET || undefined
  const secret = own ?? derivedSecret(connection.credential)
  // A secret that cannot sign is refused before anything is streamed.
  sign(secret, { id: 'evt_0', body: '', at: 0 })
  if (options.printSecret) return { json: { secret }, lines: [secret] }
  if (targets.length === 0) throw new UsageError('say where to send events: --forward-to http://127.0.0.1:8080/weir')
  const ready = () => {
    if (options.json) return
    shell.err(`events of ${connection.baseUrl}, signed with ${own ? 'WEBHOOK_SECRET' : secret}`)
    shell.err('ready; Ctrl-C ends it')
  }
  try {
    for await (const event of eventsOf(connection, shell, { after, ready })) {
      if (!isWanted(event.event)) continue
      const wanted = targets.filter((target) => target.isWanted(event.event))
      for (const delivery of await Promise.all(wanted.map((target) => forward(event, target.url, secret))))
        shell.out(options.json ? JSON.stringify(delivery) : lineOf(shell, event, delivery))
    }
  } catch (error) {
    if (!shell.interrupted.aborted) throw error
  }
  return { json: undefined, lines: [], code: EXIT.done }
}

/** What `--after` names. */
export function idAfter({ after }: { readonly after?: string }): number | undefined {
  if (after === undefined) return undefined
  if (!/^\d{1,15}$/.test(after)) throw new UsageError(`--after must be the id of an event or entry, not "${after}"`)
  return Number(after)
}

/** The stream of events until Ctrl-C; `after` is the id of an event. `ready` is called once the service streams them. */
export function eventsOf(
  { weir, isKey }: Connection,
  shell: Shell,
  { after, ready }: { readonly after: number | undefined; readonly ready: () => void },
): AsyncGenerator<StreamedEvent> {
  let isOpen = false
  const onOpen = () => {
    if (!isOpen) ready()
    isOpen = true
  }
  const given = { signal: shell.interrupted, onOpen, ...(after !== undefined && { after }) }
  return (isKey ? weir.v1.events : weir.core.events).stream(given) as AsyncGenerator<StreamedEvent>
}

function lineOf(shell: Shell, event: StreamedEvent, { url, status, durationMs, body, error }: Delivery): string {
  const isGood = status !== undefined && status >= 200 && status < 300
  const verdict = status === undefined ? 'failed' : String(status)
  const facts = [
    shell.paint('dim', event.timestamp.slice(11, 19)),
    event.event.padEnd(22),
    `evt_${event.id}`,
    shell.paint(isGood ? 'green' : 'red', verdict),
    `${durationMs} ms`,
    url,
    printable(error ?? body ?? ''),
  ]
  return facts.join('  ').trimEnd()
}
