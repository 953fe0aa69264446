//! The grammar: precedence climbing over tokens. Knows nothing of what names mean.

use super::token::{Token, tokens};
use super::{Code, NotUnderstood, Statement};

/// How deep an expression may nest.
const DEEPEST: usize = 64;
/// Tokens that a text may have.
const LONGEST: usize = 4_000;

/// Reads an expression.
///
/// # Errors
/// What in it is not understood.
pub fn expression(text: &str) -> Result<Code, NotUnderstood> {
    let mut parser = Parser::new(text)?;
    let code = parser.expression(0)?;
    parser.at_end()?;
    Ok(code)
}

/// Reads statements.
///
/// # Errors
/// What in them is not understood.
pub fn statements(text: &str) -> Result<Vec<Statement>, NotUnderstood> {
    let mut parser = Parser::new(text)?;
    let found = parser.statements(0)?;
    parser.at_end()?;
    Ok(found)
}

/// The text between the braces of `function () { … }` or `() => { … }`; none if the text is no function.
pub fn function_body(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_function = text.starts_with("function") || text.starts_with("()") || text.starts_with("async");
    let start = text.find('{').filter(|_| is_function)?;
    let end = text.rfind('}')?;
    text.get(start + 1..end)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

type Parsed<T> = Result<T, NotUnderstood>;

/// Operators of two sides, with how strongly they bind.
const BINARY: [(&str, u8); 20] = [
    ("||", 1),
    ("??", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("===", 6),
    ("!==", 6),
    ("==", 6),
    ("!=", 6),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
    ("**", 11),
];

const ASSIGNMENTS: [&str; 7] = ["=", "+=", "-=", "*=", "/=", "%=", "**="];

impl Parser {
    fn new(text: &str) -> Parsed<Self> {
        let tokens = tokens(text)?;
        if tokens.len() > LONGEST {
            return Err(NotUnderstood("code that is very long".into()));
        }
        Ok(Parser { tokens, at: 0 })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(found)) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Name(found)) if found == word)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> NotUnderstood {
        NotUnderstood(match self.peek() {
            None => "code that ends too early".into(),
            Some(Token::Sign(sign)) => format!("the sign {sign} where it stands"),
            Some(Token::Name(name)) => format!("the word {name} where it stands"),
            Some(_) => "two values side by side".into(),
        })
    }

    fn at_end(&self) -> Parsed<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected()) }
    }

    fn statements(&mut self, depth: usize) -> Parsed<Vec<Statement>> {
        let mut found = Vec::new();
        loop {
            while self.take(";") {}
            if self.peek().is_none() || self.is_sign("}") {
                return Ok(found);
            }
            found.push(self.statement(depth + 1)?);
        }
    }

    fn statement(&mut self, depth: usize) -> Parsed<Statement> {
        if depth > DEEPEST {
            return Err(NotUnderstood("code that nests very deep".into()));
        }
        if self.is_word("if") {
            return self.conditional(depth);
        }
        if self.is_word("delete") {
            self.at += 1;
            return Ok(Statement::Delete(self.unary(depth)?));
        }
        if self.is_word("return") {
            self.at += 1;
            return match self.is_sign(";") || self.is_sign("}") || self.peek().is_none() {
                true => Ok(Statement::Return),
                false => Err(NotUnderstood("a value that is returned".into())),
            };
        }
        for word in ["var", "let", "const", "for", "while", "do", "switch", "try", "function", "throw", "new", "async"]
        {
            if self.is_word(word) {
                return Err(NotUnderstood(format!("the statement `{word}`")));
            }
        }
        Ok(Statement::Do(self.assignment(depth)?))
    }

    fn conditional(&mut self, depth: usize) -> Parsed<Statement> {
        self.at += 1;
        self.expect("(")?;
        let condition = self.expression(depth)?;
        self.expect(")")?;
        let then = self.block(depth)?;
        let otherwise = match self.is_word("else") {
            true => {
                self.at += 1;
                self.block(depth)?
            }
            false => Vec::new(),
        };
        Ok(Statement::If(condition, then, otherwise))
    }

    fn block(&mut self, depth: usize) -> Parsed<Vec<Statement>> {
        if self.take("{") {
            let inner = self.statements(depth)?;
            self.expect("}")?;
            return Ok(inner);
        }
        if self.take(";") {
            return Ok(Vec::new());
        }
        let one = self.statement(depth + 1)?;
        self.take(";");
        Ok(vec![one])
    }

    fn assignment(&mut self, depth: usize) -> Parsed<Code> {
        let target = self.expression(depth)?;
        for (sign, by) in [("++", "+="), ("--", "-=")] {
            if self.take(sign) {
                return Ok(Code::Assign(Box::new(target), by, Box::new(Code::Number("1".into()))));
            }
        }
        let Some(sign) = ASSIGNMENTS.iter().find(|sign| self.is_sign(sign)) else { return Ok(target) };
        self.at += 1;
        let value = self.expression(depth + 1)?;
        Ok(Code::Assign(Box::new(target), sign, Box::new(value)))
    }

    fn expression(&mut self, depth: usize) -> Parsed<Code> {
        if depth > DEEPEST {
            return Err(NotUnderstood("code that nests very deep".into()));
        }
        let condition = self.binary(0, depth + 1)?;
        if !self.take("?") {
            return Ok(condition);
        }
        let then = self.expression(depth + 1)?;
        self.expect(":")?;
        let otherwise = self.expression(depth + 1)?;
        Ok(Code::Either(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn binary(&mut self, least: u8, depth: usize) -> Parsed<Code> {
        let mut left = self.unary(depth + 1)?;
        let mut length = 0;
        while let Some((sign, strength)) = BINARY.iter().find(|(sign, _)| self.is_sign(sign)) {
            if *strength < least.max(1) {
                break;
            }
            length += 1;
            if depth > DEEPEST || length > 300 {
                return Err(NotUnderstood("code that nests very deep".into()));
            }
            self.at += 1;
            // `**` binds to the right, all others to the left.
            let right = self.binary(strength + u8::from(*sign != "**"), depth + 1)?;
            left = Code::Binary(Box::new(left), sign, Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self, depth: usize) -> Parsed<Code> {
        if depth > 3 * DEEPEST {
            return Err(NotUnderstood("code that nests very deep".into()));
        }
        for sign in ["!", "-", "+"] {
            if self.take(sign) {
                return Ok(Code::Unary(sign, Box::new(self.unary(depth + 1)?)));
            }
        }
        let primary = self.primary(depth + 1)?;
        self.postfix(primary, depth)
    }

    fn postfix(&mut self, of: Code, depth: usize) -> Parsed<Code> {
        let mut code = of;
        for _ in 0..DEEPEST {
            if self.take(".") || self.take("?.") {
                match self.next() {
                    Some(Token::Name(name)) => code = Code::Member(Box::new(code), name),
                    _ => return Err(NotUnderstood("a point without a name".into())),
                }
            } else if self.take("[") {
                let index = self.expression(depth + 1)?;
                self.expect("]")?;
                code = match index {
                    Code::Text(name) => Code::Member(Box::new(code), name),
                    other => Code::Index(Box::new(code), Box::new(other)),
                };
            } else if self.take("(") {
                let arguments = self.list(")", depth)?;
                code = Code::Call(Box::new(code), arguments);
            } else {
                return Ok(code);
            }
        }
        Err(NotUnderstood("a very long chain of names".into()))
    }

    fn list(&mut self, end: &str, depth: usize) -> Parsed<Vec<Code>> {
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(self.expression(depth + 1)?);
            if !self.take(",") && !self.is_sign(end) {
                return Err(self.unexpected());
            }
        }
        Ok(items)
    }

    fn object(&mut self, depth: usize) -> Parsed<Code> {
        let mut members = Vec::new();
        while !self.take("}") {
            let key = match self.next() {
                Some(Token::Name(key) | Token::Text(key) | Token::Number(key)) => key,
                _ => return Err(NotUnderstood("an object without a key".into())),
            };
            self.expect(":")?;
            members.push((key, self.expression(depth + 1)?));
            if !self.take(",") && !self.is_sign("}") {
                return Err(self.unexpected());
            }
        }
        Ok(Code::Object(members))
    }

    fn primary(&mut self, depth: usize) -> Parsed<Code> {
        let unexpected = self.unexpected();
        match self.next() {
            Some(Token::Number(number)) => Ok(Code::Number(number)),
            Some(Token::Text(text)) => Ok(Code::Text(text)),
            Some(Token::Stored(store, name)) => Ok(Code::Stored(store, name)),
            Some(Token::Name(name)) => match name.as_str() {
                "true" => Ok(Code::Bool(true)),
                "false" => Ok(Code::Bool(false)),
                "null" | "undefined" => Ok(Code::Null),
                "function" | "new" | "typeof" | "void" | "async" | "await" => {
                    Err(NotUnderstood(format!("the word {name}")))
                }
                _ => Ok(Code::Name(name)),
            },
            Some(Token::Sign("(")) => {
                let inner = self.assignment(depth + 1)?;
                self.expect(")")?;
                Ok(inner)
            }
            Some(Token::Sign("[")) => Ok(Code::List(self.list("]", depth)?)),
            Some(Token::Sign("{")) => self.object(depth),
            _ => Err(unexpected),
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> String {
        expression(text).map_or_else(|error| format!("not understood: {error}"), |code| code.to_string())
    }

    #[test]
    fn operators_bind_as_in_javascript() {
        assert_snapshot!(read("flag:a + 2 * status:hp >= 3 && !item:cross || b.c['d'](1, 'x')"), @r#"((((flag:a + (2 * status:hp)) >= 3) && !item:cross) || b.c.d(1, "x"))"#);
        assert_snapshot!(read("1 - 2 - 3 ** 2 ** 1"), @"((1 - 2) - (3 ** (2 ** 1)))");
        assert_snapshot!(read("a ? b : c ? -1 : +2"), @"(a ? b : (c ? -1 : +2))");
        assert_snapshot!(read("(flag:门_1===true)&&blockId:3,4!=='none'"), @r#"((flag:门_1 === true) && (blockId:3,4 !== "none"))"#);
        assert_snapshot!(read("enemy:redSlime:atk*1.50"), @"(enemy:redSlime:atk * 1.5)");
    }

    #[test]
    fn what_is_not_understood_is_named() {
        assert_snapshot!(read("a +"), @"not understood: code that ends too early");
        assert_snapshot!(read("a b"), @"not understood: the word b where it stands");
        assert_snapshot!(read("function () {}"), @"not understood: the word function");
        assert_snapshot!(read("`a`"), @"not understood: a template of text");
        assert_snapshot!(read(&"(".repeat(100_000)), @"not understood: code that is very long");
        assert_snapshot!(read(&"-(".repeat(1_000)), @"not understood: code that nests very deep");
        assert_snapshot!(read(&"!".repeat(3_000)), @"not understood: code that nests very deep");
    }

    #[test]
    fn short_functions_are_statements() {
        let body =
            function_body("function(){\nif (!core.isReplaying()) { flags.x = 1; delete flags['y']; }\nelse return\n}");
        let read = statements(body.unwrap()).unwrap();
        assert_eq!(read.len(), 1);
        assert!(matches!(&read[0], Statement::If(_, then, otherwise) if then.len() == 2 && otherwise.len() == 1));
        assert!(statements("var x = 1").is_err() && statements("for (;;) {}").is_err());
        assert_eq!(statements("hero.hp++;; a.b -= 2").unwrap().len(), 2);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,60}", piece in "[a-c0-9.:+*/?!&|<>=(){}\\[\\]'\", ;-]{0,60}") {
            let _ = (expression(&text), statements(&text), expression(&piece), statements(&piece), function_body(&piece));
        }
    }
}
