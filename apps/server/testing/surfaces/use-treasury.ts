import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { IdentityParts } from '../../src/identity/index.ts'
import type { Parts } from '../../src/operations/index.ts'
import type { App } from '../../src/surfaces/http/index.ts'
import type { TestClient } from '../operations/test-client.ts'
import { type ChainInUse, useChain } from '../operations/use-chain.ts'
import { USDC } from '../units.ts'
import { type CoreAnswer, type CoreRequest, staffedOrganization } from './core-server.ts'
import { type CoreSurfaceServer, coreSurfaceServer } from './core-surface-server.ts'

type Staff = Awaited<ReturnType<typeof staffedOrganization>>

export interface TreasuryFixture extends ChainInUse {
  readonly core: CoreSurfaceServer
  /** An organization with people of every role, new for each test. */
  readonly staff: Staff
  /** Sends a GET as the organization's viewer, or with this token. */
  request(path: string, token?: string): Promise<CoreAnswer>
  /** The data of a response that must succeed. */
  read(path: string): Promise<CoreAnswer['body']>
  /** Sends a request as the organization's admin unless `more` has another credential. */
  send(method: 'POST' | 'PUT', path: string, body: object, more?: CoreRequest): Promise<CoreAnswer>
  /** An operational wallet with 1,000 USDC and this buffer. */
  operationalWallet(bufferAmount?: string): Promise<{ client: TestClient; opWalletId: number }>
  /** The number of the organization's operations. */
  operationCount(): Promise<number>
  /** The organization's audit entries for an action, oldest first. */
  audited(action: string): Promise<{ actorId: number | null; details: Readonly<Record<string, unknown>> | null }[]>
}

/** One chain, one database and the core surface for a test file; one organization for each test. */
export function useTreasury(routes: (app: App, parts: Parts & IdentityParts) => void): TreasuryFixture {
  const chain = useChain()
  const use: { core?: CoreSurfaceServer; staff?: Staff } = {}
  beforeAll(async () => {
    use.core = await coreSurfaceServer(chain.engine, routes)
  })
  afterAll(() => use.core?.close())
  beforeEach(async () => {
    use.staff = await staffedOrganization(use.core!.parts)
  })
  const treasury: TreasuryFixture = {
    get dev() {
      return chain.dev
    },
    get engine() {
      return chain.engine
    },
    get core() {
      return use.core!
    },
    get staff() {
      return use.staff!
    },
    request: (path, token = use.staff!.tokens.viewer) => use.core!.call('GET', path, { token }),
    async read(path) {
      const { status, body } = await treasury.request(path)
      if (status !== 200) throw new Error(`${path} → ${status}: ${JSON.stringify(body)}`)
      return body.data
    },
    send: (method, path, body, more = { token: use.staff!.tokens.admin }) =>
      use.core!.call(method, path, { body, ...more }),
    async operationalWallet(bufferAmount) {
      const { engine, staff } = treasury
      const client = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
      await engine.settle()
      const body = { orgWalletId: client.wallet.walletId, bufferAmount }
      const { opWalletId } = (await treasury.send('POST', '/api/core/wallets/add-and-monitor', body)).body.data
      return { client, opWalletId }
    },
    async operationCount() {
      const { engine, staff } = treasury
      const own = engine.db.selectFrom('operations').where('organization_id', '=', staff.organizationId)
      return (await own.select('id').execute()).length
    },
    async audited(action) {
      const { engine, staff } = treasury
      const entries = await engine.db
        .selectFrom('audit_log')
        .select(['actor_id', 'details'])
        .where('organization_id', '=', staff.organizationId)
        .where('action', '=', action)
        .orderBy('id')
        .execute()
      return entries.map(({ actor_id, details }) => ({ actorId: actor_id, details: details && JSON.parse(details) }))
    },
  }
  return treasury
}

/** The expected response to a refused request. */
export const refusal = (status: number, code: string) => ({ status, body: { code } })
