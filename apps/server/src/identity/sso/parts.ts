import type { Tx } from '../../database/index.ts'
import type { Sealer } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** A request to an identity provider, as openid-client makes it. */
export type SsoFetch = (
  url: string,
  options: {
    readonly method?: string
    readonly headers?: Record<string, string>
    readonly body?: unknown
    readonly signal?: AbortSignal | undefined
  },
) => Promise<Response>

/** What the organization's rules for changes say about roles that claims give. The organization is locked. */
export interface RoleRules {
  /** Whether giving a member a higher role needs the approval of others. */
  needApproval(tx: Tx, organizationId: number): Promise<boolean>
  /** Whether the members who may approve are still enough without this one. */
  canSpareApprover(tx: Tx, organizationId: number, memberId: number): Promise<boolean>
}

/** What single sign-on needs from outside. */
export interface SsoConnections {
  /** For client secrets. */
  readonly sealer: Sealer
  /** Connects to permitted addresses only, follows no redirect, and limits time and size. */
  readonly fetch: SsoFetch
  /** What is wrong with an issuer's URL, as the end of a sentence; `undefined` if nothing is. */
  readonly issuerProblem: (url: string) => string | undefined
  /** The TXT records of a name, each as one text; none if the name has none. Throws if no name server responds. */
  readonly resolveTxt: (name: string) => Promise<readonly string[]>
  /** Where providers of earlier versions send browsers back to; each provider's own URI begins with it. */
  readonly callbackUrl: string
  readonly roleRules: RoleRules
  /** In the sandbox, providers may use plain http. */
  readonly allowHttp: boolean
}

export interface SsoParts extends IdentityParts {
  readonly sso: SsoConnections
}
