import { parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A parsed response; its shape is the API's. */
export type Answer = ReturnType<typeof JSON.parse>
export type Request = (method: string, path: string, body?: unknown) => Promise<Answer>

const WAIT_MS = 60_000
const POLL_MS = 200

/** Sends requests to the service at `url` with these headers, and removes core's envelope. */
export const requestsTo =
  (url: string, headers: Readonly<Record<string, string>> = {}): Request =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const parsed = (await response.json()) as { data?: Answer }
    if (!response.ok) throw new Error(`${method} ${path} → ${response.status} ${JSON.stringify(parsed)}`)
    return path.startsWith('/v1/') ? (parsed as unknown as Answer) : (parsed.data as Answer)
  }

/** Reads the path until its response satisfies `isDone`. */
export async function until(request: Request, path: string, isDone: (answer: Answer) => boolean): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; !isDone(await request('GET', path)); ) {
    if (Date.now() > deadline) throw new Error(`${path} took too long`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** A wallet on Polygon whose key the test holds. */
export interface ClientWallet {
  readonly walletId: number
  readonly address: string
  readonly sign: (unsigned: string) => Promise<`0x${string}`>
  /** Plans, signs and submits, and waits until all of it is final. Base units. */
  readonly supply: (strategyId: number, amount: string) => Promise<void>
  readonly unwind: (strategyId: number, amount: string) => Promise<void>
}

/** Makes a wallet that holds this much test USDC. `keyed` sends with a key of the organization. */
export async function clientWallet(keyed: Request, usdc: string): Promise<ClientWallet> {
  const account = privateKeyToAccount(generatePrivateKey())
  const holder = { walletAddress: account.address, blockchain: 'polygon' }
  const { walletId } = await keyed('POST', '/v1/wallets/register', holder)
  await keyed('POST', '/v1/sandbox/faucet', { ...holder, token: 'USDC', amount: usdc })
  const sign = (unsigned: string) => account.signTransaction(parseTransaction(unsigned as `0x${string}`) as never)
  const run = async (path: string, body: object) => {
    const { operationId, transactions } = await keyed('POST', path, { walletId, ...body })
    for (const { id, unsignedTransaction } of transactions as { id: number; unsignedTransaction: string }[]) {
      const signedTransaction = await sign(unsignedTransaction)
      await keyed('POST', '/v1/transactions/submit-signed', { operationId, transactionId: id, signedTransaction })
    }
    await until(keyed, `/v1/operations/${operationId}`, ({ status }) => status === 'CONFIRMED')
  }
  return {
    walletId,
    address: account.address,
    sign,
    supply: async (strategyId, amount) => {
      const { tokenAddress } = (await strategiesOf(keyed)).find((each) => each.strategyId === strategyId)!
      await run('/v1/operations/supply', { strategyId, tokenAddress, amount })
    },
    unwind: (strategyId, amount) => run('/v1/operations/unwind', { strategyId, amount }),
  }
}

export interface Strategy {
  readonly strategyId: number
  readonly name: string
  readonly tokenAddress: string
}

/** The strategies for USDC on Polygon. */
export async function strategiesOf(request: Request): Promise<readonly Strategy[]> {
  const { venues } = await request('GET', '/v1/venues?blockchain=polygon&token=USDC')
  return (venues as { strategies: Strategy[] }[]).flatMap(({ strategies }) => strategies)
}
