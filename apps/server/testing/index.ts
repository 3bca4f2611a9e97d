export { countStatements, type StatementCount } from './count-statements.ts'
export { emptyDatabase, type TestDatabase, testDatabase } from './test-database.ts'
