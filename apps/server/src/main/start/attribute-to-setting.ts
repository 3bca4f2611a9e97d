import { ConfigError } from '../../config.ts'

/**
 * Runs one step of the start and adds the setting that the operator must check to its error (contract 2). An error that
 * already names it is unchanged.
 */
export async function attributeToSetting<T>(setting: string, step: () => Promise<T> | T): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const sentence = sentenceOf(error)
    if (error instanceof ConfigError || sentence.includes(setting)) throw error
    throw new Error(`${setting}: ${sentence}`, { cause: error })
  }
}

/** An error in one sentence. A host with several addresses fails with one error per address and no message of its own. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
