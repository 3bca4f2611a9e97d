import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ReceivedEvent, Weir } from '@weir/sdk'
import type { Address } from 'viem'
import type { Rules } from './check-transaction.ts'
import { webhookServer } from './webhook-server.ts'

/** What the demonstrations need of a service that `npm start` runs. An application of yours has its own settings instead. */
export interface Sandbox {
  readonly baseUrl: string
  /** With the key of a program. */
  readonly weir: Weir
  /** With the session of an owner. */
  readonly session: Weir
}

/** The sandbox that runs from DATA_DIR, as `npm start` with the same setting. */
export async function openSandbox(): Promise<Sandbox> {
  const file = join(process.env.DATA_DIR || '.data', 'sandbox-credentials.json')
  if (!existsSync(file)) throw new Error(`there is no ${file}: start the sandbox first, with the same DATA_DIR`)
  const { baseUrl, email, password, profileApiKey } = JSON.parse(readFileSync(file, 'utf8'))
  const opened = await new Weir({ baseUrl }).core.auth.logIn({ email, password })
  if (!('accessToken' in opened)) throw new Error('the demo user has no second factor')
  const session = new Weir({ baseUrl, accessToken: opened.accessToken as string })
  return { baseUrl, session, weir: new Weir({ baseUrl, apiKey: profileApiKey }) }
}

/**
 * The rules of a chain. In production these lines are constants: a list that the service returns protects against
 * nothing.
 */
export async function rulesOf({ weir }: Sandbox, blockchain: 'ethereum' | 'polygon' | 'base'): Promise<Rules> {
  const networks = await weir.v1.sandbox.networks()
  const { venues } = await weir.v1.venues.list({ blockchain, token: 'USDC' })
  const strategies = venues
    .filter(({ protocol }) => ['aave-v3', 'erc4626'].includes(protocol))
    .flatMap((venue) => venue.strategies)
  return {
    chainId: networks.find((network) => network.blockchain === blockchain)!.chainId!,
    token: strategies[0]!.tokenAddress as Address,
    venues: strategies.map(({ spender }) => spender as Address),
    maxFee: 10n ** 17n,
  }
}

export async function aaveOn({ weir }: Sandbox, blockchain: 'ethereum' | 'polygon' | 'base'): Promise<number> {
  const { venues } = await weir.v1.venues.list({ blockchain, token: 'USDC' })
  return venues.find(({ protocol }) => protocol === 'aave-v3')!.strategies[0]!.strategyId
}

/** Receives every event on this machine until the returned function is called. */
export async function receiveEvents(
  { session }: Sandbox,
  store: (event: ReceivedEvent) => void,
): Promise<() => Promise<void>> {
  const port = Number(process.env.PORT ?? 4567)
  const webhook = await session.core.webhooks.create({ url: `http://127.0.0.1:${port}/`, events: ['*'] })
  if (!('secret' in webhook)) throw new Error('your change policy demands an approval of new webhooks')
  const server = webhookServer(webhook.secret!, store).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    await session.core.webhooks.delete(webhook.id)
    server.close()
    server.closeAllConnections()
  }
}

/** Waits for a condition, at most a minute. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); await wait(100)) {
    if (Date.now() > end) throw new Error('it did not happen within a minute')
  }
}

export const usdc = (amount: bigint) => `${(Number(amount / 10_000n) / 100).toFixed(2)} USDC`
