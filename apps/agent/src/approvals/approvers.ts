/** A person who approves, with the passkeys that count for them. */
export interface Approver {
  readonly name: string
  readonly passkeys: readonly { readonly credentialId: string; readonly publicKey: Uint8Array<ArrayBuffer> }[]
}

/** How many people must approve what matches. */
export interface ApprovalRule {
  /** Symbol; unset: every token. */
  readonly token: string | undefined
  /** Whole tokens as a decimal; unset: every amount. */
  readonly amountAtLeast: string | undefined
  readonly required: number
}

/** The agent's own list of approvers. What the service says about people has no part in it. */
export interface Approvers {
  readonly organizationId: number
  readonly relyingPartyId: string
  readonly origins: readonly string[]
  /** An operation that was planned earlier is not signed. */
  readonly maxAgeMs: number
  readonly approvers: readonly Approver[]
  readonly rules: readonly ApprovalRule[]
}
