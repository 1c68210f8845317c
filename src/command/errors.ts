/**
 * An error that the user can fix. Its message is shown unchanged: what is wrong, what is allowed, what to do. With
 * `form`, the usage of the command is shown too; for a `limit`, that would not help.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly about: 'form' | 'limit';

  constructor(message: string, about: 'form' | 'limit' = 'form') {
    super(message);
    this.about = about;
  }
}
