"""Tools of other people that write tests: run on a module in a sandbox, their tests kept where the original passes."""
