import { Failure } from '../../kernel/index.ts'

/**
 * Reads a venue's steps beside a balance, with the errors in the order of contract 4: a refusal of the venue comes at
 * once. Any other error waits until the result asks for the steps, after the balance is checked: an amount may be
 * more than a transaction can hold, and then it is more than any balance.
 */
export async function refusalsFirst<T>(planning: Promise<T>): Promise<() => T> {
  try {
    const steps = await planning
    return () => steps
  } catch (error) {
    if (error instanceof Failure) throw error
    return () => {
      throw error
    }
  }
}
