import { type Weir, WeirError } from '../../sdk/src/index.ts'

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

/** The role of the service account. Throws a sentence for people if its secret does not work from here. */
export async function requireServiceAccount(weir: Weir): Promise<'viewer' | 'admin'> {
  try {
    return (await weir.core.serviceAccounts.own()).role
  } catch (error) {
    if (!(error instanceof WeirError)) throw error
    throw new Error(`the secret of the service account does not work here: ${error.message}`, { cause: error })
  }
}

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
export function warningOfRole(role: 'viewer' | 'admin'): string | undefined {
  if (role === 'viewer') return undefined
  return `the service account may do more than an assistant needs (role ${role}): create one with the role viewer`
}
