import { ApiError, type Weir, WeirError } from '../../sdk/src/index.ts'

/** What the key of this server may do. */
export interface KeyFacts {
  readonly scope: 'organization' | 'profile' | 'admin'
  readonly permissions: readonly string[]
}

/** Permissions that an assistant has no use for. */
const TOO_MUCH = ['submit', 'agent']

/** Throws a sentence for people if the key does not work from here. */
export async function readKeyFacts(weir: Weir): Promise<KeyFacts> {
  const { valid, message, scope, permissions } = await weir.core.apiKeys.validate()
  if (!valid || scope === undefined) throw new Error(`the API key does not work here: ${message}`)
  return { scope, permissions: permissions ?? [] }
}

/** How a service of an earlier version, without the route, answers it. */
const BEFORE_OWN = new Set([400, 403, 404])

/** The role of the service account, if the service tells. Throws a sentence for people if its secret does not work here. */
export async function requireServiceAccount(weir: Weir): Promise<'viewer' | 'admin' | undefined> {
  try {
    return (await weir.core.serviceAccounts.own()).role
  } catch (error) {
    if (error instanceof ApiError && BEFORE_OWN.has(error.status)) return await requireQuotas(weir)
    throw refusedSecret(error)
  }
}

async function requireQuotas(weir: Weir): Promise<undefined> {
  try {
    await weir.core.organization.quotas()
  } catch (error) {
    throw refusedSecret(error)
  }
}

const refusedSecret = (error: unknown): unknown =>
  error instanceof WeirError
    ? new Error(`the secret of the service account does not work here: ${error.message}`, { cause: error })
    : error

/** Why plans are not offered; undefined if they are. */
export function whyNoPlans({ scope, permissions }: KeyFacts, isAllowed: boolean): string | undefined {
  if (!isAllowed) return 'WEIR_MCP_ALLOW_PLANS is not 1'
  if (scope === 'admin' || !permissions.includes('plan')) return 'the key lacks the permission plan'
  const more = TOO_MUCH.filter((permission) => permissions.includes(permission))
  return more.length > 0 ? `the key also has the permission ${more.join(' and ')}` : undefined
}

/** Warnings for the person who configured this server. */
export function warningsOf({ permissions }: KeyFacts, isAllowed: boolean): readonly string[] {
  const unused = permissions.filter(
    (permission) => !['read', 'ramp', ...(isAllowed ? ['plan'] : [])].includes(permission),
  )
  if (unused.length === 0) return []
  return [
    `the key may do more than an assistant needs (${unused.join(', ')}): generate one with the permissions read${isAllowed ? ' and plan' : ''}`,
  ]
}

/** A warning for the person who configured this server: its tools only read core. */
export function warningOfRole(role: 'viewer' | 'admin' | undefined): string | undefined {
  if (role !== 'admin') return undefined
  return `the service account may do more than an assistant needs (role ${role}): create one with the role viewer`
}
