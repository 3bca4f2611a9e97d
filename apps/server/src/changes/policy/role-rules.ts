import type { RoleRules } from '../../identity/index.ts'
import { mostApprovals, ruleFor } from './change-policy.ts'
import { countApprovers } from './count-approvers.ts'
import { readChangeRules } from './read-change-policy.ts'

/** What the change policy says about roles that the claims of an identity provider give. */
export const roleRules: RoleRules = {
  async needApproval(tx, organizationId) {
    return ruleFor(await readChangeRules(tx, organizationId), 'members') !== undefined
  },
  async canSpareApprover(tx, organizationId) {
    const requiredApprovals = mostApprovals(await readChangeRules(tx, organizationId))
    // One approver fewer, and the requester of a change does not approve it.
    return requiredApprovals === 0 || requiredApprovals <= (await countApprovers(tx, organizationId)) - 2
  },
}
