import type { Signer, Weir } from '../../../packages/sdk/src/index.ts'
import { type Account, createAccount } from '../../server/tour/account.ts'

export type Trigger =
  | 'operation.created'
  | 'operation.completed'
  | 'operation.failed'
  | 'customer.approved'
  | 'customer.declined'
  | 'webhook.test'
  | 'day.passed'
  | 'chain.down'

/** What was caused, by name. */
type Facts = Readonly<Record<string, string | number>>

const blockchain = 'polygon'
const AMOUNT = '1000000000'
const REFUSED_REQUESTS = 20

/** Causes an event in a sandbox, through the interface that everybody uses. Throws the service's refusal. */
export async function trigger(weir: Weir, event: Trigger): Promise<Facts> {
  return await ACTIONS[event](weir)
}

const ACTIONS: Readonly<Record<Trigger, (weir: Weir) => Promise<Facts>>> = {
  async 'operation.created'(weir) {
    const { operationId } = await planSupply(weir, await createAccount(blockchain))
    return { operationId }
  },

  'operation.completed': async (weir) => await supply(weir),

  async 'operation.failed'(weir) {
    await weir.v1.sandbox.setChainFault({ blockchain, fault: 'revert_next', count: 1 })
    const account = await createAccount(blockchain)
    const plan = await planSupply(weir, account)
    // Which of its transactions reverts, and where that ends the execution, makes no difference here.
    const error = await weir.v1.operations.execute(plan, signerOf(account)).catch((reason: unknown) => reason)
    const { operationId, status } = await weir.v1.operations.get(plan.operationId)
    if (status !== 'FAILED') throw error
    return { operationId }
  },

  async 'customer.approved'(weir) {
    const { id } = await createRecipient(weir)
    await weir.v1.ramp.recipients.simulateApprove(id)
    return { recipientId: id }
  },

  async 'customer.declined'(weir) {
    const { id } = await createRecipient(weir)
    await weir.v1.ramp.recipients.simulateReject(id)
    return { recipientId: id }
  },

  async 'webhook.test'(weir) {
    let tested = 0
    for await (const { id, status } of weir.core.webhooks.list()) {
      if (status === 'disabled') continue
      await weir.core.webhooks.test(id)
      tested += 1
    }
    if (tested === 0) throw new Error('there is no enabled webhook to test: create one first')
    return { webhooks: tested }
  },

  async 'day.passed'(weir) {
    const { now } = await weir.v1.sandbox.advanceTime({ seconds: 86_400 })
    return { now }
  },

  async 'chain.down'(weir) {
    await weir.v1.sandbox.setChainFault({ blockchain, fault: 'rpc_down', count: REFUSED_REQUESTS })
    return { blockchain, requests: REFUSED_REQUESTS }
  },
}

/** A supply by a new wallet, from the plan to the last confirmation. */
async function supply(weir: Weir): Promise<Facts> {
  const account = await createAccount(blockchain)
  const plan = await planSupply(weir, account)
  const { operationId } = await weir.v1.operations.execute(plan, signerOf(account))
  return { operationId, walletAddress: account.address }
}

const signerOf = (account: Account): Signer => ({ sign: ({ bytes }) => account.sign(bytes) })

async function planSupply(weir: Weir, { address: walletAddress }: Account) {
  await weir.v1.wallets.register({ walletAddress, blockchain })
  await weir.v1.sandbox.faucet({ walletAddress, blockchain, token: 'USDC', amount: AMOUNT })
  const { venues } = await weir.v1.venues.list({ blockchain, token: 'USDC' })
  const strategy = venues.find(({ protocol }) => protocol === 'aave-v3')?.strategies[0]
  if (strategy === undefined) throw new Error('this sandbox has no strategy to supply to')
  const { strategyId, tokenAddress } = strategy
  return await weir.v1.operations.supply({ walletAddress, strategyId, tokenAddress, amount: AMOUNT })
}

/** The organization itself must be verified first. */
async function createRecipient(weir: Weir): Promise<{ readonly id: number }> {
  const { kyb_status } = await weir.v1.ramp.kyb.start()
  if (kyb_status !== 'approved') await weir.v1.ramp.kyb.simulateApprove()
  const address = { street1: '1 Main Street', city: 'Springfield', postal_code: '00000' }
  return await weir.v1.ramp.recipients.create({ name: 'Triggered by weir', type: 'business', address })
}
