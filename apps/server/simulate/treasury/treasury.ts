import { inspect } from 'node:util'
import { inTransaction } from '../../src/database/index.ts'
import type { Actor } from '../../src/identity/index.ts'
import { insertUser } from '../../src/identity/members/add-member.ts'
import type { IssuedBytes } from '../../src/operations/index.ts'
import { updatePolicy } from '../../src/policy/index.ts'
import {
  addOperationalWallet,
  findWalletToken,
  type OperationalWallet,
  updateOperationalWallet,
} from '../../src/wallets/index.ts'
import type { WalletAccount } from '../clients/wallet-account.ts'
import type { Random } from '../random.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Agent, type CheckIssuedBytes } from './agent.ts'
import { type BytesVersion, IssuedVersions } from './issued-versions.ts'

/** How likely an agent reports FAILED instead of signing, unless a seed's emphasis says otherwise. */
const SIGNER_FAILURE = 0.06

/** People who may approve. */
const PEOPLE = ['Ada', 'Bob', 'Cleo'] as const

/** The treasury's current approval policy. Amounts in base units. */
export interface Approvals {
  readonly mode: 'automatic' | 'manual' | 'conditional'
  /** Conditional: the smallest amount that needs approval. */
  readonly from: bigint
  readonly required: number
}

export interface TreasurySettings {
  readonly checkIssuedBytes: CheckIssuedBytes
  readonly signerFailure: number | undefined
  /** What agents never sign; by default they sign everything. */
  readonly refuses?: (issued: IssuedBytes) => boolean
}

/** One organization's treasury: operational wallets, people who approve, agents that sign. */
export class Treasury {
  readonly run: SimulationRun
  readonly agents: Agent[]
  readonly people: number[] = []
  /** All bytes ever issued to agents. */
  readonly issued = new IssuedVersions()
  /** How active clients are relative to agents: they share wallets, and only one at a time can plan. */
  readonly clients: number
  readonly checkIssuedBytes: CheckIssuedBytes
  readonly signerFailure: number
  readonly refuses: (issued: IssuedBytes) => boolean
  approvals: Approvals = { mode: 'automatic', from: 0n, required: 1 }
  /** Operations whose approval was checked. */
  readonly decided = new Set<number>()

  constructor(
    run: SimulationRun,
    random: Random,
    { checkIssuedBytes, signerFailure, refuses = () => false }: TreasurySettings,
  ) {
    this.run = run
    this.checkIssuedBytes = checkIssuedBytes
    this.signerFailure = signerFailure ?? SIGNER_FAILURE
    this.refuses = refuses
    this.clients = random.pick([0.1, 0.4, 1])
    this.agents = Array.from({ length: random.between(1, 8) }, (_, index) => new Agent(run, this, `agent ${index + 1}`))
  }

  get organizationId(): number {
    return this.run.organizations[0]!
  }

  /** The person who requests moves. The other two can give every required approval, so this one's never counts. */
  get requester(): Actor {
    return { type: 'user', id: this.people.at(-1)! }
  }

  /** The treasury's wallets, which clients also know. */
  get accounts(): readonly WalletAccount[] {
    return this.run.holders
      .flatMap(({ accounts }) => accounts)
      .filter(({ organizationId }) => organizationId === this.organizationId)
  }

  async setUp(random: Random): Promise<void> {
    const { run, organizationId } = this
    for (const name of PEOPLE) {
      const person = { organizationId, role: 'approver', email: `${name}@example.org`, name, passwordHash: '' } as const
      const user = await inTransaction(run.database.db, (tx) => insertUser(tx, { clock: run.clock }, person))
      this.people.push(user!.id)
    }
    for (const account of this.accounts) {
      for (const token of ['USDC', 'USDT'])
        if (random.chance(0.7)) await this.addOperationalWallet(account, token, random)
    }
  }

  /** Signs issued bytes, as anyone with the key can. */
  signed({ bytes, sender }: BytesVersion): string {
    return this.run.signed(bytes, sender).raw
  }

  async addOperationalWallet(
    { organizationId, walletId }: WalletAccount,
    token: string,
    random: Random,
  ): Promise<void> {
    const { service } = this.run
    const buffer = bufferOf(random)
    const enableYield = random.chance(0.9)
    await this.run.request(`watch over ${token} of wallet ${walletId}, buffer ${buffer}`, async () => {
      const watched = await findWalletToken(service.parts, { organizationId, walletId, symbol: token })
      await addOperationalWallet(service.parts, { ...watched, enableYield, buffer })
    })
  }

  /** The operational wallets, read without the service. */
  async wallets(): Promise<(OperationalWallet & { readonly address: string })[]> {
    const { rows } = await this.run.database.reader.query(
      `select ow.id, ow.wallet_id, ow.token_address, ow.enable_yield, ow.buffer_amount::text as buffer, w.address,
          ow.created_at, ow.updated_at
        from operational_wallets ow join wallets w on w.id = ow.wallet_id order by ow.id`,
    )
    return rows.map((row) => ({
      organizationId: this.organizationId,
      opWalletId: Number(row.id),
      walletId: Number(row.wallet_id),
      tokenAddress: row.token_address,
      enableYield: row.enable_yield,
      buffer: BigInt(row.buffer),
      metadata: null,
      createdAt: row.created_at,
      createdBy: null,
      updatedAt: row.updated_at,
      address: row.address,
    }))
  }

  async changeBuffer(random: Random): Promise<void> {
    const { run } = this
    const wallet = random.pick(await this.wallets())
    if (!wallet) return
    const { organizationId, opWalletId } = wallet
    const change = changeOf(wallet, random)
    await run.request(`change operational wallet ${opWalletId} to ${inspect(change)}`, () =>
      updateOperationalWallet(run.service.parts, { organizationId, opWalletId, ...change }),
    )
  }

  async changeApprovals(approvals: Approvals): Promise<void> {
    const { run, organizationId } = this
    const { mode, from, required } = approvals
    const big = { name: 'much', when: { amountAtLeast: `${from / 1_000_000n}` }, then: 'require_approval' }
    const policy = { mode, rules: mode === 'conditional' ? [big] : [], default: 'approve', requiredApprovals: required }
    const actor = {
      kind: 'user' as const,
      organizationId,
      userId: this.people[0]!,
      sessionId: 0,
      role: 'owner' as const,
      rateLimitOverrides: {},
    }
    await run.request(`approvals are ${mode}, ${required} from ${from}`, async () => {
      await updatePolicy(run.service.parts, actor, { policy })
      this.approvals = approvals
    })
    // If the process died after the commit, nobody got the response.
    const { rows } = await run.database.reader.query<{
      policy: Pick<typeof policy, 'mode' | 'rules' | 'requiredApprovals'>
    }>('select policy from approval_policies where organization_id = $1 order by version desc limit 1', [
      organizationId,
    ])
    const stored = rows[0]?.policy
    const isStored =
      stored?.mode === mode &&
      stored.requiredApprovals === required &&
      stored.rules[0]?.when.amountAtLeast === policy.rules[0]?.when.amountAtLeast
    if (isStored) this.approvals = approvals
  }
}

/** Another buffer, or yield switched on or off. */
export const changeOf = ({ enableYield }: OperationalWallet, random: Random) =>
  random.chance(0.8) ? { buffer: bufferOf(random) } : { enableYield: !enableYield }

function bufferOf(random: Random): bigint {
  const whole = random.pick([0, random.between(1, 900), random.between(500, 6_000)])
  return BigInt(whole! * 100 + random.between(10, 99)) * 10_000n
}
