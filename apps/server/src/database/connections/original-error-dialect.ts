import { type Driver, PostgresDialect } from 'kysely'

/**
 * Lets a transaction fail with the error of its work. When a connection is lost, rolling back fails as well, and Kysely
 * would throw that error in place of the first. Its driver closes a connection that could not roll back.
 */
export class OriginalErrorDialect extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const rollBack = driver.rollbackTransaction.bind(driver)
    driver.rollbackTransaction = (connection) => rollBack(connection).catch(() => undefined)
    return driver
  }
}
