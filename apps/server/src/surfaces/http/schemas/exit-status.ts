import Type from 'typebox'

/** Where a withdrawal that takes time stands. */
export const exitStatus = Type.Enum(['pending', 'claimable', 'claimed'], {
  description:
    'pending: requested, and all of it waits. claimable: some or all of it can be claimed. claimed: nothing of it is left.',
})
