import Type from 'typebox'

/** The progress of a withdrawal that takes time. */
export const exitStatus = Type.Enum(['pending', 'claimable', 'claimed'], {
  description:
    'pending: requested, and all of it waits. claimable: some or all of it can be claimed. claimed: none of it is left.',
})
