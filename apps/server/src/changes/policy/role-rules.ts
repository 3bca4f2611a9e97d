import type { RoleRules } from '../../identity/index.ts'
import { canGiveApprovals, mostApprovals, ruleFor } from './change-policy.ts'
import { countApprovers } from './count-approvers.ts'
import { readChangeRules } from './read-change-policy.ts'

/** What the change policy says about roles that the claims of an identity provider give. */
export const roleRules: RoleRules = {
  async needApproval(tx, organizationId) {
    return ruleFor(await readChangeRules(tx, organizationId), 'members') !== undefined
  },
  async canSpareApprover(tx, organizationId, memberId) {
    const approversLeft = await countApprovers(tx, organizationId, { without: memberId })
    return canGiveApprovals(approversLeft, mostApprovals(await readChangeRules(tx, organizationId)))
  },
}
