// What an integrator's compiler knows of the packed client. It is compiled, not run: each directive below fails the
// compilation if the line under it has no error, as with a type that became `any`.
import { generateKeyPairSigner } from '@solana/kit'
import { ApiError, InsufficientBalanceError, type Operation, OperationFailedError, Weir } from '@weir/sdk'
import { createCoreClient } from '@weir/sdk/core'
import { createQueries } from '@weir/sdk/react'
import { solanaSigner } from '@weir/sdk/solana'
import { createV1Client, type Event } from '@weir/sdk/v1'
import { viemSigner } from '@weir/sdk/viem'
import { createWebhooks } from '@weir/sdk/webhooks'
import { privateKeyToAccount } from 'viem/accounts'

const options = { baseUrl: 'https://weir.example.com', apiKey: 'key' }
const weir = new Weir(options)

export async function receive(body: string, headers: Headers): Promise<number | string | null> {
  const message = await createWebhooks('whsec_').unwrap(body, headers)
  // @ts-expect-error -- the event decides which data there are
  message.data.operationId
  // @ts-expect-error -- no event has this name
  if (message.event === 'operation.done') return null
  if (message.event === 'operation.completed') return message.data.operationId satisfies number
  if (message.event === 'customer.approved') return message.data.customer_id
  return message.id satisfies string
}

export async function supply(amount: bigint): Promise<Operation> {
  const plan = await weir.operations.supply({ walletId: 1, strategyId: 2, tokenAddress: '0x', amount: `${amount}` })
  // @ts-expect-error -- an amount is text: base units need more digits than a float has
  await weir.operations.supply({ walletId: 1, strategyId: 2, tokenAddress: '0x', amount: 5 })
  // @ts-expect-error -- a plan needs a strategy
  await weir.operations.supply({ walletId: 1, tokenAddress: '0x', amount: '5' })
  // @ts-expect-error -- a wallet's address signs nothing
  await weir.operations.execute(plan, { address: '0x' })
  await weir.operations.execute(plan, solanaSigner(await generateKeyPairSigner()))
  return weir.operations.execute(plan, viemSigner(privateKeyToAccount('0x')), {
    review: ({ bytes, description }) => console.log(bytes satisfies string, description satisfies string),
    progress: ({ status }) => {
      // @ts-expect-error -- an operation is never in this status
      if (status === 'DONE') return
    },
  })
}

export function reasonOf(error: unknown): string {
  if (error instanceof InsufficientBalanceError) return error.code satisfies 'INSUFFICIENT_BALANCE'
  if (error instanceof OperationFailedError) return error.operation.status satisfies Operation['status']
  if (error instanceof ApiError) return error.code
  // @ts-expect-error -- nothing is known of another error
  return error.code
}

export async function list(): Promise<void> {
  for await (const operation of weir.v1.operations.list({ status: 'CONFIRMED' })) {
    console.log(operation.operationId satisfies number)
    // @ts-expect-error -- that is a field of core
    operation.opWalletId
  }
  for await (const { id } of createCoreClient(options).operations.history()) console.log(id satisfies number)
  const { total } = await createV1Client(options).wallets.list({ limit: 20 })
  // @ts-expect-error -- a limit is a number
  await weir.v1.wallets.list({ limit: '20' })
  // @ts-expect-error -- no filter has this name
  await weir.v1.wallets.list({ chain: 'polygon' })
  // @ts-expect-error -- a wallet is read by its id alone
  await weir.v1.wallets.get(1, { limit: 20 })
  await weir.v1.wallets.list({ userId: undefined }, { timeoutMs: 5_000 })
  for await (const event of weir.v1.events.stream()) console.log(total satisfies number, event satisfies Event)
}

export const query = createQueries(weir).v1.operations.get(1)
// @ts-expect-error -- an operation that changes something has no query
createQueries(weir).v1.operations.supply
