import { connectAsMember, connectWithKey, URL_OPTION, type UrlOption } from '../connect.ts'
import { defineCommand } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import type { Trigger } from '../triggers.ts'

/** What each causes, by name. `../triggers.ts` does it. */
const TRIGGERS: Readonly<Record<Trigger, string>> = {
  'operation.created': 'a new wallet with 1,000 USDC from the faucet plans a supply',
  'operation.completed': 'that supply is signed, sent and confirmed; also allocation.created',
  'operation.failed': 'its transaction is mined as failed',
  'customer.approved': 'a new recipient is verified',
  'customer.declined': 'a new recipient is not verified',
  'webhook.test': 'every enabled webhook gets a test event',
  'day.passed': 'all chains move a day forward, and positions earn its yield',
  'chain.down': 'the next 20 requests of the service to Polygon are refused',
}

/** Those that a key may not do. */
const BY_MEMBERS: readonly string[] = ['webhook.test']

export function defineTrigger({ program, shell, end }: Definer): void {
  defineCommand<UrlOption>(
    program,
    { shell, end },
    {
      usage: 'trigger <event>',
      summary: 'Cause an event in a sandbox, for the handler that you write',
      description: `Does in the sandbox what the event reports, so balances, yield and other events follow. ${Object.entries(
        TRIGGERS,
      )
        .map(([name, does]) => `\`${name}\`: ${does}`)
        .join(
          '. ',
        )}. Uses a new wallet each time, with a key that is thrown away. A live service has no such endpoints and refuses.`,
      arguments: { event: 'what to cause' },
      choices: { event: Object.keys(TRIGGERS) },
      does: TRIGGERS,
      options: [URL_OPTION],
      examples: [
        { run: 'trigger operation.completed', does: 'a supply from the plan to the last confirmation' },
        { run: 'trigger day.passed', does: 'a day of yield' },
      ],
      async run(own, [given = ''], options) {
        const event = given as Trigger
        const { trigger } = await import('../triggers.ts')
        const connect = BY_MEMBERS.includes(event) ? connectAsMember : connectWithKey
        const connection = await connect(own, options)
        try {
          const done = await trigger(connection.weir, event)
          const facts = Object.entries(done).map(([name, value]) => `${name} ${value}`)
          return { json: { event, ...done }, lines: [[event, ...facts].join('  ')] }
        } finally {
          await connection.close()
        }
      },
    },
  )
}
